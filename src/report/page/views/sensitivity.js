// SPDX-License-Identifier: MIT
// How a metric depends on rho and sigma.
import { chart } from '../chart.js';
import { choice, plainOptions } from '../choice.js';
import { controls, fill, h, note } from '../dom.js';
import { digitsFor, extent, fixed, gridNumber, slug } from '../format.js';
import { observable } from '../state.js';

const kCellText = 46; // pixels that a number in a cell needs

function cellsOf({ rhos, sigmas, values, larger_is_better: larger }) {
  const cells = rhos
    .flatMap((rho, i) =>
      sigmas.map((sigma, j) => ({ rho: gridNumber(rho), sigma: gridNumber(sigma), value: values[i]?.[j] })),
    )
    .filter(({ value }) => Number.isFinite(value));
  const [low, high] = extent(cells.map(({ value }) => value));
  const best = larger ? high : low;
  // merit: 0 for the worst, 1 for the best
  return cells.map((cell) => ({
    ...cell,
    best: cell.value === best,
    merit: high === low ? 1 : Math.abs(cell.value - (larger ? low : high)) / (high - low),
  }));
}

function heatMap(study, boxWidth, colours) {
  const cells = cellsOf(study);
  const digits = digitsFor(cells.map(({ value }) => value));
  const narrow = boxWidth < 420;
  const width = Math.max(200, Math.min(620, boxWidth - (narrow ? 80 : 140)));
  const bar = narrow ? { orient: 'bottom', gradientLength: width } : { gradientLength: 120 };
  const step = width / Math.max(1, study.sigmas.length);
  const cellText = `(datum.best ? '★ ' : '') + format(datum.value, '.${Math.min(3, digits)}f')`;
  return {
    width,
    height: Math.min(46, Math.max(26, step)) * study.rhos.length,
    description: `${study.metric} on ${study.set} for each rho and sigma`,
    data: { values: cells },
    transform: [{ calculate: step >= kCellText + 8 ? cellText : "datum.best ? '★' : ''", as: 'text' }],
    encoding: {
      x: {
        field: 'sigma',
        type: 'ordinal',
        title: 'sigma',
        sort: study.sigmas.map(gridNumber),
        axis: { labelAngle: step < 36 ? -60 : 0 },
      },
      y: { field: 'rho', type: 'ordinal', title: 'rho', sort: study.rhos.map(gridNumber).reverse() },
      tooltip: [
        { field: 'rho' },
        { field: 'sigma' },
        { field: 'value', title: study.metric, format: `.${digits}f` },
      ],
    },
    layer: [
      {
        mark: { type: 'rect', stroke: colours.ground, strokeWidth: 1 },
        encoding: {
          color: {
            field: 'value',
            type: 'quantitative',
            title: null,
            scale: { scheme: 'viridis', reverse: !study.larger_is_better, zero: false, nice: false },
            legend: { format: `.${Math.min(3, digits)}f`, tickCount: 4, ...bar },
          },
        },
      },
      {
        transform: [{ filter: 'datum.best' }],
        mark: { type: 'rect', fillOpacity: 0, stroke: '#000000', strokeWidth: 2.5 },
      },
      {
        mark: { type: 'text', fontSize: 11 },
        encoding: {
          text: { field: 'text' },
          color: { condition: { test: 'datum.merit > 0.55', value: '#000000' }, value: '#ffffff' },
        },
      },
    ],
  };
}

function lineOver(study, over, values, boxWidth, colours) {
  const digits = digitsFor(values);
  const grid = study[`${over}s`];
  return {
    width: Math.max(200, Math.min(620, boxWidth - 80)),
    height: 200,
    description: `${study.metric} on ${study.set} over ${over}`,
    data: {
      values: grid
        .map((at, i) => ({ at: gridNumber(at), value: values[i] }))
        .filter(({ value }) => Number.isFinite(value)),
    },
    mark: {
      type: 'line',
      strokeWidth: 2,
      color: colours.accent,
      point: { size: 45, color: colours.accent, filled: true },
    },
    encoding: {
      x: {
        field: 'at',
        type: 'ordinal',
        title: over,
        sort: grid.map(gridNumber),
        axis: { labelAngle: 0, labelOverlap: true },
      },
      y: {
        field: 'value',
        type: 'quantitative',
        title: null,
        scale: { zero: false },
        axis: { tickCount: 5, format: '~g' },
      },
      tooltip: [
        { field: 'at', title: over },
        { field: 'value', title: study.metric, format: `.${digits}f` },
      ],
    },
  };
}

/// Where a number stands in a grid; numbers that were written with other digits are the same.
function place(grid, number) {
  return grid.findIndex((at) => Math.abs(at - number) <= 1e-9 * Math.abs(at));
}

const valuesOverRho = (study) => study.values.map((row) => row[place(study.sigmas, study.fixed_sigma)]);
const valuesOverSigma = (study) => study.values[place(study.rhos, study.fixed_rho)] ?? [];

function bestText(study) {
  const best = cellsOf(study).filter((cell) => cell.best);
  if (best.length === 0) return 'No value is known.';
  const places = best
    .map(({ rho, sigma }) => `rho ${rho}, sigma ${sigma}`)
    .slice(0, 3)
    .join('; ');
  return `Best (★): ${fixed(best[0].value, 4)} at ${places}${best.length > 3 ? ` and ${best.length - 3} more` : ''}.`;
}

export function sensitivity(report) {
  const studies = report.sensitivity ?? [];
  if (studies.length === 0) return null;
  const names = studies.map(({ set, metric }) => `${set}, ${metric}`);
  const chosen = observable(names[0]);
  const study = () => studies[names.indexOf(chosen.get())];
  const about = note();

  const heat = chart({
    title: () => `${study().metric}, ${study().set}`,
    name: () => slug('sensitivity', study().set, study().metric),
    spec: (width, colours) => heatMap(study(), width, colours),
  });
  const chartOver = (over, fixedOne, values) =>
    chart({
      title: () => `Over ${over}, with ${fixedOne} ${gridNumber(study()[`fixed_${fixedOne}`] ?? NaN)}`,
      name: () => slug('sensitivity', study().set, study().metric, over),
      spec: (width, colours) => lineOver(study(), over, values(study()), width, colours),
    });
  const overRho = chartOver('rho', 'sigma', valuesOverRho);
  const overSigma = chartOver('sigma', 'rho', valuesOverSigma);

  function show() {
    overRho.element.hidden = place(study().sigmas, study().fixed_sigma) < 0;
    overSigma.element.hidden = place(study().rhos, study().fixed_rho) < 0;
    fill(about, bestText(study()), study().larger_is_better ? ' Larger is better.' : ' Smaller is better.');
    for (const figure of [heat, overRho, overSigma]) figure.update();
  }
  chosen.subscribe(show);
  show();
  return [
    controls(choice('Set', plainOptions(names), chosen)),
    about,
    h(
      'div',
      { class: 'grid' },
      heat.element,
      h('div', { class: 'stack' }, overRho.element, overSigma.element),
    ),
  ];
}
