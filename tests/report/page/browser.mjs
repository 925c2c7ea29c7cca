// SPDX-License-Identifier: MIT
// A page with a document in it, opened from disk in Chromium. Packages are taken from where it is run.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const marker = '<script type="application/json" id="document">{}</script>';
const buildScript = fileURLToPath(new URL('../../../src/report/page/build.mjs', import.meta.url));
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/// The page without a document: MUGRAD_PAGE, or built now.
function template(folder) {
  const built = process.env.MUGRAD_PAGE ?? path.join(folder, 'page.html');
  if (!process.env.MUGRAD_PAGE) execFileSync(process.execPath, [buildScript, '--out', built]);
  const html = readFileSync(built, 'utf8');
  assert.equal(html.split(marker).length, 2, 'the page has the marker once');
  return html;
}

/// JSON that is safe inside a script element.
export function embed(value) {
  return JSON.stringify(value).replace(/</g, '\\u003c');
}

async function startBrowser() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mugrad-page-'));
  const html = template(folder);
  const { chromium } = createRequire(path.join(process.cwd(), 'node_modules', 'x.js'))('playwright-core');
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: flags,
  });
  let pages = 0;

  /// Opens the page with this text in place of the document.
  /// `problems` collects errors and requests that leave the disk.
  async function openText(text, { width = 1280, height = 900, ...options } = {}) {
    pages += 1;
    const file = path.join(folder, `report-${pages}.html`);
    writeFileSync(
      file,
      html.replace(marker, () => marker.replace('{}', () => text)),
    );
    const context = await browser.newContext({
      viewport: { width, height },
      acceptDownloads: true,
      colorScheme: 'light',
      reducedMotion: 'reduce',
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const problems = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('request', (request) => {
      if (!/^(file|data|blob):/.test(request.url())) problems.push(request.url());
    });
    page.on('dialog', (dialog) => {
      problems.push(dialog.message());
      dialog.dismiss();
    });
    await page.goto(pathToFileURL(file).href);
    return { page, problems, close: () => context.close() };
  }

  return {
    open: (document, options) => openText(embed(document), options),
    openText,
    async stop() {
      await browser.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/// Waits until every visible chart has been drawn.
export async function chartsDrawn(page) {
  await page.waitForFunction(() =>
    [...document.querySelectorAll('figure:not([hidden]) .chart')].every(
      (box) => box.getAttribute('aria-busy') === 'false',
    ),
  );
}

/// The texts of a column of the body of a table, from its first to its last row.
export function column(page, table, index) {
  return page.locator(`${table} tbody tr > :nth-child(${index})`).allTextContents();
}

/// What a button of a chart downloads, as bytes.
export async function download(page, button) {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

/// A browser for the tests of a file.
export function useBrowser() {
  let browser;
  before(async () => {
    browser = await startBrowser();
  });
  after(() => browser?.stop());

  /// Runs the body on a page with the document, and asserts afterwards that nothing went wrong in it.
  async function withPage(document, options, body) {
    const { page, problems, close } = await browser.open(document, options);
    await body(page);
    assert.deepEqual(problems, []);
    await close();
  }
  return { withPage, openText: (text) => browser.openText(text) };
}

export const kResults = '#results table';

/// How the table of results is sorted by a column: ascending, descending or none.
export const sortOf = (page, name) =>
  page
    .locator(`${kResults} thead th`, { has: page.getByRole('button', { name, exact: true }) })
    .getAttribute('aria-sort');
