// SPDX-License-Identifier: MIT
// Wilcoxon's signed-rank test of each pair of methods over the sets, adjusted by Holm.
import { choice, menu, plainOptions } from '../choice.js';
import { controls, fill, h, note } from '../dom.js';
import { fixed, probability } from '../format.js';
import { observable } from '../state.js';
import { plainColumn, sortableTable } from '../table.js';

const kAll = 'all';

function columns(alpha) {
  const counted = (key, title) => ({ ...plainColumn(key, title), number: true, first: 'descending' });
  const p = (key, title) => ({
    ...plainColumn(key, title),
    number: true,
    cell: (row) => h('span', { class: key === 'holm' && row.holm < alpha && 'best' }, probability(row[key])),
  });
  return [
    plainColumn('a', 'Method'),
    plainColumn('b', 'against'),
    counted('wins', 'Wins'),
    counted('ties', 'Ties'),
    counted('losses', 'Losses'),
    p('p', 'p'),
    p('holm', 'p, Holm'),
  ];
}

/// Pairs that have the method, seen from its side.
function pairsWith(pairs, method) {
  if (method === kAll) return pairs;
  return pairs.flatMap((pair) => {
    if (pair.a === method) return [pair];
    return pair.b === method ? [{ ...pair, a: pair.b, b: pair.a, wins: pair.losses, losses: pair.wins }] : [];
  });
}

function namesIn(statistics) {
  return [...new Set(statistics.flatMap(({ pairs }) => pairs.flatMap(({ a, b }) => [a, b])))];
}

export function pairs(report, { metric: chosen }) {
  const tested = (report.results?.statistics ?? []).filter(({ pairs: list }) => list?.length > 0);
  if (tested.length === 0) return null;
  const names = namesIn(tested);
  const method = observable(kAll);
  const sort = { key: 'holm', direction: 'ascending' };
  const place = h('div');

  function show() {
    const statistics = tested.find(({ metric }) => metric === chosen.get());
    if (!statistics) return void fill(place, note(`${chosen.get()} has not been tested.`));
    const alpha = statistics.nemenyi?.alpha ?? 0.05;
    const rows = pairsWith(statistics.pairs, method.get());
    const significant = rows.filter(({ holm }) => holm !== null && holm < alpha).length;
    fill(
      place,
      note(
        h('strong', {}, statistics.metric),
        `: ${significant} of ${rows.length} pairs differ at ${fixed(alpha, 2)} after Holm's adjustment (bold).`,
      ),
      sortableTable({
        label: `Pairs: ${statistics.metric}`,
        columns: columns(alpha),
        rows,
        sort,
        empty: 'No pair has this method.',
      }),
    );
    place.querySelector('.scroll').classList.add('tall');
  }

  chosen.subscribe(show);
  method.subscribe(show);
  show();
  return [
    h(
      'p',
      {},
      'Wilcoxon signed-rank tests over the sets. Wins and losses count sets on which the first method is better or worse.',
    ),
    controls(
      choice('Metric', plainOptions(tested.map(({ metric }) => metric)), chosen),
      names.length > 2 &&
        menu('Method', [{ value: kAll, text: 'all pairs' }, ...plainOptions(names)], method),
    ),
    place,
  ];
}
