// SPDX-License-Identifier: MIT
// Loss and metric after each iteration.
import { chart } from '../chart.js';
import { choice, plainOptions } from '../choice.js';
import { controls, fill, h, note } from '../dom.js';
import { slug } from '../format.js';
import { observable } from '../state.js';

const kScales = [
  { value: 'linear', text: 'Linear' },
  { value: 'log', text: 'Log' },
];
// Beside the colour, so that curves can be told apart in grey as well.
const kDashes = [
  [1, 0],
  [7, 3],
  [2, 2],
  [10, 3, 2, 3],
  [4, 4],
  [12, 4],
  [2, 5],
];

/// A logarithmic axis has no place for what is not above 0.
function points(run, field, scales) {
  return run.curves
    .flatMap(({ name, iterations, [field]: values }) =>
      (values ?? []).map((value, i) => ({ name, iteration: iterations[i], value })),
    )
    .filter(
      ({ iteration, value }) =>
        Number.isFinite(value) &&
        Number.isFinite(iteration) &&
        (scales.value !== 'log' || value > 0) &&
        (scales.iteration !== 'log' || iteration > 0),
    );
}

function curves(run, field, title, scales, boxWidth) {
  const names = run.curves.map(({ name }) => name);
  const legend = {
    title: null,
    orient: 'top',
    symbolType: 'stroke',
    symbolSize: 400,
    columns: boxWidth < 420 ? 1 : 0,
  };
  const axis = { labelFlush: true, tickCount: 6, labelOverlap: true };
  return {
    width: Math.max(200, Math.min(760, boxWidth - 75)),
    height: 260,
    description: `${title} of ${names.join(', ')} on ${run.set}`,
    data: { values: points(run, field, scales) },
    mark: { type: 'line', strokeWidth: 2, interpolate: 'linear' },
    encoding: {
      x: {
        field: 'iteration',
        type: 'quantitative',
        title: 'iteration',
        scale: { type: scales.iteration, nice: false },
        axis,
      },
      y: {
        field: 'value',
        type: 'quantitative',
        title: null,
        scale: scales.value === 'log' ? { type: 'log', nice: false } : { zero: false },
        axis: { tickCount: 6, format: '~g' },
      },
      color: { field: 'name', type: 'nominal', sort: null, scale: { domain: names }, legend },
      strokeDash: {
        field: 'name',
        type: 'nominal',
        sort: null,
        scale: { domain: names, range: names.map((_, i) => kDashes[i % kDashes.length]) },
        legend,
      },
    },
  };
}

/// The curves, and a rule with the values of all of them at the iteration under the pointer.
function withReader(spec, colours) {
  const { mark, encoding, data, ...frame } = spec;
  const nearest = {
    name: 'nearest',
    select: { type: 'point', on: 'pointermove', clear: 'pointerout', nearest: true, encodings: ['x'] },
  };
  return {
    ...frame,
    data,
    encoding: { x: encoding.x },
    layer: [
      { mark, encoding: { y: encoding.y, color: encoding.color, strokeDash: encoding.strokeDash } },
      {
        transform: [{ filter: { param: 'nearest', empty: false } }],
        mark: { type: 'circle', size: 40, opacity: 1, color: colours.text },
        encoding: { y: encoding.y },
      },
      {
        transform: [{ pivot: 'name', value: 'value', groupby: ['iteration'] }],
        mark: { type: 'rule', strokeWidth: 1 },
        encoding: {
          opacity: { condition: { param: 'nearest', empty: false, value: 0.4 }, value: 0 },
          tooltip: [
            { field: 'iteration', type: 'quantitative' },
            ...encoding.color.scale.domain.map((name) => ({
              field: escapeField(name),
              type: 'quantitative',
              title: name,
              format: '.5~g',
            })),
          ],
        },
        params: [nearest],
      },
    ],
  };
}

/// A name as a field: Vega takes dots, brackets and quotes in fields for paths.
function escapeField(name) {
  return name.replace(/[\\.[\]'"]/g, '\\$&');
}

export function convergence(report) {
  const runs = report.convergence ?? [];
  if (runs.length === 0) return null;
  const names = runs.map(({ set }, i) =>
    runs.findIndex((run) => run.set === set) === i ? set : `${set} (${i + 1})`,
  );
  const chosen = observable(names[0]);
  const lossScale = observable('log');
  const iterationScale = observable('linear');
  const run = () => runs[names.indexOf(chosen.get())];
  const setting = note();

  const chartOf = ({ field, title, name, scale }) =>
    chart({
      title: () => `${title()}, ${run().set}`,
      name: () => slug('convergence', run().set, name()),
      spec: (width, colours) => {
        const scales = { value: scale(), iteration: iterationScale.get() };
        return withReader(curves(run(), field, title(), scales, width), colours);
      },
    });
  const loss = chartOf({
    field: 'total_loss',
    title: () => 'Total loss',
    name: () => 'loss',
    scale: lossScale.get,
  });
  const metricName = () => run().metric;
  const metric = chartOf({ field: 'metric', title: metricName, name: metricName, scale: () => 'linear' });
  const has = (field) => run().curves.some(({ [field]: values }) => values?.length > 0);

  function show() {
    fill(setting, run().setting ?? '');
    loss.element.hidden = !has('total_loss');
    metric.element.hidden = !has('metric');
    loss.update();
    metric.update();
  }
  for (const state of [chosen, lossScale, iterationScale]) state.subscribe(show);
  show();
  return [
    controls(
      choice('Set', plainOptions(names), chosen),
      choice('Loss', kScales, lossScale),
      choice('Iterations', kScales, iterationScale),
    ),
    setting,
    h('div', { class: 'grid' }, loss.element, metric.element),
  ];
}
