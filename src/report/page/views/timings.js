// SPDX-License-Identifier: MIT
// Seconds of each method on each set.
import { chart } from '../chart.js';
import { note } from '../dom.js';
import { extent, seconds as secondsText } from '../format.js';

const kWidest = 330;
const kSpacing = 18;

/// Methods, the quickest on the whole first.
function byTypicalTime(records) {
  const logs = new Map();
  for (const { method, mean } of records) logs.set(method, [...(logs.get(method) ?? []), Math.log(mean)]);
  const typical = ([, values]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return [...logs].sort((a, b) => typical(a) - typical(b)).map(([method]) => method);
}

function bars(records, boxWidth) {
  const methods = byTypicalTime(records);
  const sets = [...new Set(records.map(({ set }) => set))];
  const fitting = Math.max(1, Math.floor((boxWidth - 110) / 240));
  const columns = Math.ceil(sets.length / Math.ceil(sets.length / fitting));
  const nameWidth = Math.min(160, 8 * Math.max(...methods.map((name) => name.length)));
  const room = (boxWidth - nameWidth - 20) / columns - kSpacing;
  const [quickest, slowest] = extent(records.map(({ mean }) => mean));
  const low = 10 ** (Math.ceil(Math.log10(quickest)) - 1);
  const high = 10 ** Math.ceil(Math.log10(slowest) + 1e-9);
  return {
    description: 'Seconds of each method on each set',
    data: { values: records.map((record) => ({ ...record, text: secondsText(record.mean) })) },
    facet: { field: 'set', type: 'nominal', sort: sets, title: null },
    columns,
    spacing: kSpacing,
    resolve: { axis: { x: 'independent' } },
    spec: {
      width: Math.max(150, Math.min(sets.length === 1 ? 2 * kWidest : kWidest, room)),
      height: { step: 20 },
      mark: { type: 'bar', height: { band: 0.7 } },
      encoding: {
        y: { field: 'method', type: 'nominal', sort: methods, title: null },
        x: {
          field: 'mean',
          type: 'quantitative',
          title: null,
          scale: { type: 'log', domain: [low, high], nice: false },
          axis: { format: '~g', tickCount: 4, labelOverlap: true },
        },
        x2: { datum: low },
        tooltip: [{ field: 'set' }, { field: 'method' }, { field: 'text', title: 'time' }],
      },
    },
  };
}

export function timings(report) {
  const records = (report.results?.seconds ?? []).filter(({ mean }) => mean > 0);
  if (records.length === 0) return null;
  const figure = chart({
    title: () => 'Seconds, logarithmic',
    name: () => 'timings',
    spec: (width) => bars(records, width),
  });
  return [
    note('Mean over the repeats; the quickest method on the whole stands first.'),
    figure.element,
  ];
}
