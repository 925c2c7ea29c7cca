// SPDX-License-Identifier: MIT
// A figure drawn by Vega-Lite, with buttons that save it.
import * as vega from 'vega';
import { compile } from 'vega-lite';

import { fill, h } from './dom.js';
import { coloursOf, currentTheme, onThemeChange } from './theme.js';
import { hideTooltip, vegaTooltip } from './tooltip.js';

const kFont = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
const kExportWidth = 720;
const kPngScale = 3;

function config(colours) {
  const text = {
    labelColor: colours.text,
    titleColor: colours.text,
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: 600,
  };
  return {
    font: kFont,
    background: null,
    view: { stroke: null },
    axis: {
      ...text,
      domainColor: colours.muted,
      tickColor: colours.muted,
      gridColor: colours.line,
      gridOpacity: 0.7,
      labelLimit: 160,
    },
    legend: { ...text, labelLimit: 220, symbolStrokeWidth: 2.5 },
    header: { ...text, labelFontSize: 13, labelFontWeight: 600 },
    text: { color: colours.text, fontSize: 12 },
    rule: { color: colours.text },
    bar: { color: colours.accent },
    range: { category: colours.category },
  };
}

function runtime(spec, theme, width) {
  const colours = coloursOf(theme);
  const full = { padding: 5, config: config(colours), ...spec(width, colours) };
  return vega.parse(compile(full).spec);
}

function save(blob, name) {
  const url = URL.createObjectURL(blob);
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/// The chart as it is saved: light, on white, as wide as a page of print.
function exportView(spec) {
  return new vega.View(runtime(spec, 'light', kExportWidth), { renderer: 'none' }).background('#ffffff');
}

async function saveSvg(spec, name) {
  save(new Blob([await exportView(spec).toSVG()], { type: 'image/svg+xml' }), `${name}.svg`);
}

async function savePng(spec, name) {
  const canvas = await exportView(spec).toCanvas(kPngScale);
  canvas.toBlob((blob) => save(blob, `${name}.png`), 'image/png');
}

/// A figure: spec(width, colours) is its Vega-Lite specification, name() that of the files it is saved as.
/// drawn(view) is called after each drawing. Call update() when what spec reads has changed.
export function chart({ title, spec, name, drawn = () => {} }) {
  const box = h('div', { class: 'chart', tabindex: 0, role: 'group', 'aria-label': title() });
  const caption = h('figcaption', {}, title());
  const tools = h(
    'div',
    { class: 'tools' },
    h('button', { type: 'button', onclick: () => saveSvg(spec, name()) }, 'SVG'),
    h('button', { type: 'button', onclick: () => savePng(spec, name()) }, 'PNG'),
  );
  for (const button of tools.children) button.setAttribute('aria-label', `Save as ${button.textContent}`);
  const element = h('figure', {}, h('div', { class: 'bar' }, caption, tools), box);

  let view = null;
  let width = 0;
  function update() {
    if (width === 0) return; // drawn as soon as its place is known
    hideTooltip();
    view?.finalize();
    fill(caption, title());
    box.setAttribute('aria-label', title());
    view = new vega.View(runtime(spec, currentTheme(), width), {
      renderer: 'svg',
      container: fill(box),
      hover: true,
      tooltip: vegaTooltip,
    });
    box.setAttribute('aria-busy', 'true');
    const drawing = view;
    drawing.runAsync().then(() => {
      if (drawing !== view) return; // drawn anew since
      drawn(drawing);
      box.setAttribute('aria-busy', 'false');
    });
  }
  new ResizeObserver(() => {
    const now = Math.floor(box.clientWidth);
    if (now === width) return;
    width = now;
    update();
  }).observe(box);
  onThemeChange(update);
  return { element, update };
}
