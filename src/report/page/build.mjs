// SPDX-License-Identifier: MIT
// node build.mjs --out PATH: writes the page as one HTML file with all it needs inside.
// Packages are taken from where it is run, sources from where it lies, so that a build folder can
// hold the packages.
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const sources = path.dirname(fileURLToPath(import.meta.url));
const packages = path.join(process.cwd(), 'node_modules');
const marker = '<script type="application/json" id="document">{}</script>';

// Sources that lie elsewhere import the packages from here.
const packagesFromHere = {
  name: 'packages',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, ({ path: name, kind, resolveDir }) => {
      if (kind === 'entry-point' || !resolveDir.startsWith(sources) || resolveDir.startsWith(packages))
        return null;
      return build.resolve(name, { kind, resolveDir: packages });
    });
  },
};

async function bundle() {
  const { build } = createRequire(path.join(packages, 'x.js'))('esbuild');
  return build({
    entryPoints: [path.join(sources, 'main.js'), path.join(sources, 'style.css')],
    outdir: 'out',
    absWorkingDir: process.cwd(),
    plugins: [packagesFromHere],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
  });
}

function packageOf(input) {
  return /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1];
}

/// The licences of all packages that are part of the page; equal texts stand once.
async function licences(inputs) {
  const names = new Set(Object.keys(inputs).map(packageOf).filter(Boolean));
  if (names.size === 0) throw new Error('no package of the page was found');
  const byText = new Map();
  for (const name of [...names].sort()) {
    const folder = path.join(packages, name);
    const { version } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name} has no licence file`);
    const text = (await readFile(path.join(folder, file), 'utf8')).trim();
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version}`]);
  }
  return [...byText].map(([text, used]) => `${used.join(', ')}\n\n${text}`).join('\n\n\n');
}

/// Code as the content of a script element, which ends at the first `</script` whatever it is in.
function insideScript(code) {
  return code.replace(/<\/(?=script)/gi, '<\\/').replace(/<!--/g, '<\\!--');
}

function escapeHtml(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
}

async function page() {
  const { outputFiles, metafile } = await bundle();
  const output = (ending) => outputFiles.find((file) => file.path.endsWith(ending)).text.trim();
  const parts = {
    STYLE: output('.css'),
    SCRIPT: insideScript(output('.js')),
    LICENCES: escapeHtml(await licences(metafile.inputs)),
  };
  const template = await readFile(path.join(sources, 'template.html'), 'utf8');
  const html = template.replace(/@([A-Z]+)@/g, (_, name) => parts[name]);
  if (html.split(marker).length !== 2) throw new Error(`the page must have once: ${marker}`);
  return html;
}

const { out } = parseArgs({ options: { out: { type: 'string', default: 'page.html' } } }).values;
await mkdir(path.dirname(path.resolve(out)), { recursive: true });
await writeFile(out, await page());
