// SPDX-License-Identifier: MIT
// Methods by sets under a chosen metric.
import { choice, plainOptions } from '../choice.js';
import { controls, fill, h, tableRow } from '../dom.js';
import { count, digitsFor, fixed, kMissing } from '../format.js';
import { plainColumn, sortableTable } from '../table.js';
import { pairsList } from '../tooltip.js';

const kMarks = {
  worse: { sign: '▾', text: 'significantly worse' },
  better: { sign: '▴', text: 'significantly better' },
};
const kPublished = '‡';
const pairKey = (set, method) => JSON.stringify([set, method]);

/// Cells of one metric by set and method.
function cellsOf(results, metric) {
  const cells = results.cells.filter((cell) => cell.metric === metric);
  return new Map(cells.map((cell) => [pairKey(cell.set, cell.method), cell]));
}

function optionsBySetAndMethod(results) {
  const groups = new Map();
  for (const entry of results.options ?? []) {
    const key = pairKey(entry.set, entry.method);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(entry);
  }
  return groups;
}

function deviationOf({ deviation }, digits) {
  return Number.isFinite(deviation) && h('span', { class: 'deviation' }, ` ± ${fixed(deviation, digits)}`);
}

/// How many of the repeats have a value, where some have none.
function shareOf(cell, repeats) {
  const there = cell.repeats?.length ?? repeats;
  return there < repeats && h('span', { class: 'deviation' }, ` (${there} of ${repeats})`);
}

function shownValue(cell, digits, withPublished, repeats) {
  if (!cell || !Number.isFinite(cell.mean)) return kMissing;
  const mark = kMarks[cell.mark];
  return [
    h('span', { class: cell.best ? 'best' : cell.second && 'second' }, fixed(cell.mean, digits)),
    deviationOf(cell, digits),
    shareOf(cell, repeats),
    h(
      'span',
      { class: 'slot' },
      mark && [
        h('span', { class: 'mark', 'aria-hidden': 'true' }, mark.sign),
        h('span', { class: 'unseen' }, ` ${mark.text}`),
      ],
    ),
    withPublished &&
      cell.published &&
      h(
        'span',
        { class: 'published' },
        h('span', { class: 'unseen' }, 'published '),
        fixed(cell.published.mean, digits),
        deviationOf(cell.published, digits),
        h('span', { class: 'slot', 'aria-hidden': 'true' }, kPublished),
      ),
  ];
}

/// The tooltip of a cell: every repeat with its value and the options chosen for it.
function repeatsTable(cell, options, digits) {
  const heading = h('p', {}, h('strong', {}, cell.method), ' on ', h('strong', {}, cell.set));
  const facts = pairsList([
    [cell.metric, h('span', {}, fixed(cell.mean, digits), deviationOf(cell, digits))],
    ...(cell.rank ? [['rank', String(cell.rank)]] : []),
  ]);
  const names = [...new Set(options.flatMap(({ values }) => Object.keys(values ?? {})))];
  const withThreshold = options.some(({ threshold }) => threshold !== undefined && threshold !== null);
  const columns = ['repeat', cell.metric, ...names, ...(withThreshold ? ['threshold'] : [])];
  const chosenIn = new Map(options.map((entry) => [entry.repeat, entry]));
  const rows = (cell.repeats ?? []).map(({ repeat, value }) => {
    const chosen = chosenIn.get(repeat);
    const texts = [
      String(repeat),
      fixed(value, digits),
      ...names.map((name) => chosen?.values?.[name] ?? kMissing),
    ];
    return tableRow('td', withThreshold ? [...texts, chosen?.threshold ?? kMissing] : texts);
  });
  return [
    heading,
    facts,
    rows.length > 0 && h('table', {}, h('thead', {}, tableRow('th', columns)), h('tbody', {}, ...rows)),
  ];
}

function setFacts(set) {
  const known = ['rows', 'features', 'labels', 'cardinality'].filter((name) => Number.isFinite(set[name]));
  return [
    h('p', {}, h('strong', {}, set.name)),
    pairsList(known.map((name) => [name, set[name].toLocaleString('en')])),
  ];
}

function methodFacts(method) {
  return [
    h(
      'p',
      {},
      h('strong', {}, method.name),
      method.method && method.method !== method.name && ` (${method.method})`,
    ),
    method.summary && h('p', {}, method.summary),
  ];
}

/// Mean rank over the sets; none for a method that has no rank on one of them.
function meanRank(cells, sets, method) {
  const ranks = sets.map((set) => cells.get(pairKey(set.name, method.name))?.rank);
  if (ranks.length === 0 || !ranks.every(Number.isFinite)) return null;
  return ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length;
}

function columnsOf({ metric, cells, options, sets, repeats, withPublished }) {
  const digits = digitsFor([...cells.values()].map(({ mean }) => mean));
  const method = { ...plainColumn('method', 'Method', ({ name }) => name), about: methodFacts };
  const rank = {
    key: 'rank',
    title: 'Mean rank',
    number: true,
    first: 'ascending',
    value: (row) => meanRank(cells, sets, row),
    cell: (row) => fixed(meanRank(cells, sets, row), 2),
    about: (row) => [
      h('p', {}, h('strong', {}, row.name), ': ranks'),
      pairsList(sets.map(({ name }) => [name, String(cells.get(pairKey(name, row.name))?.rank ?? kMissing)])),
    ],
  };
  const perSet = sets.map((set) => {
    const at = (row) => cells.get(pairKey(set.name, row.name));
    return {
      key: `set ${set.name}`,
      title: set.name,
      number: true,
      first: metric.larger_is_better ? 'descending' : 'ascending',
      note: () => setFacts(set),
      value: (row) => at(row)?.mean,
      cell: (row) => shownValue(at(row), digits, withPublished, repeats),
      about: (row) =>
        at(row)
          ? repeatsTable(at(row), options.get(pairKey(set.name, row.name)) ?? [], digits)
          : 'Not measured',
    };
  });
  return [method, rank, ...perSet];
}

function legend(results, cells, withPublished) {
  const control = results.statistics?.map(({ bonferroni_dunn: dunn }) => dunn?.control).find(Boolean);
  const used = Object.entries(kMarks).filter(([name]) =>
    [...cells.values()].some(({ mark }) => mark === name),
  );
  const against = control ? `than ${control}` : 'than the control';
  return h(
    'p',
    { class: 'legend' },
    h('span', {}, h('span', { class: 'best' }, 'best'), ' of all methods'),
    h('span', {}, h('span', { class: 'second' }, 'second'), ' best'),
    used.map(([, { sign, text }]) =>
      h('span', {}, h('span', { class: 'mark' }, sign), ` ${text} ${against}, t test for overlapping splits`),
    ),
    withPublished && h('span', {}, `${kPublished} published figure`),
    h('span', {}, 'Point at a cell, or walk there with the arrow keys, for its repeats and options'),
  );
}

/// What could not be trained or judged, folded up.
function failuresList({ failures }) {
  if (!failures?.length) return null;
  return h(
    'details',
    { class: 'failures' },
    h('summary', {}, `${count(failures.length, 'run')} failed`),
    h(
      'ul',
      {},
      failures.map(({ set, method, repeat, reason }) =>
        h('li', {}, h('strong', {}, method), ' on ', h('strong', {}, set), `, repeat ${repeat}: ${reason}`),
      ),
    ),
  );
}

function setFilter(sets, hidden, changed) {
  const summary = h('summary');
  const show = () => fill(summary, `Sets: ${sets.length - hidden.size} of ${sets.length}`);
  const boxes = sets.map(({ name }) =>
    h(
      'label',
      {},
      h('input', {
        type: 'checkbox',
        checked: true,
        onchange: ({ target }) => {
          if (target.checked) hidden.delete(name);
          else hidden.add(name);
          show();
          changed();
        },
      }),
      name,
    ),
  );
  show();
  return h('details', { class: 'sets' }, summary, h('div', {}, boxes));
}

export function results(report, { metric: chosen }) {
  const data = report.results;
  if (!data || data.methods.length === 0 || data.sets.length === 0 || data.metrics.length === 0) return null;
  const options = optionsBySetAndMethod(data);
  const hidden = new Set();
  const sort = { key: 'rank', direction: 'ascending' };
  const place = h('div');
  const status = h('p', { class: 'note', role: 'status' });
  const filter = h('input', { type: 'search', placeholder: 'part of a name', oninput: show });
  const published = h('input', { type: 'checkbox', checked: true, onchange: show });
  const hasPublished = data.cells.some((cell) => cell.published);

  function show() {
    const metric = data.metrics.find(({ name }) => name === chosen.get());
    const wanted = filter.value.trim().toLowerCase();
    const rows = data.methods.filter(({ name }) => name.toLowerCase().includes(wanted));
    const sets = data.sets.filter(({ name }) => !hidden.has(name));
    const cells = cellsOf(data, metric.name);
    const withPublished = hasPublished && published.checked;
    const columns = columnsOf({ metric, cells, options, sets, repeats: data.repeats ?? 0, withPublished });
    fill(
      place,
      sortableTable({
        label: `Results: ${metric.name}`,
        columns,
        rows,
        sort,
        empty: 'No method has this in its name.',
      }),
      legend(data, cells, withPublished),
    );
    const direction = metric.larger_is_better ? 'larger is better' : 'smaller is better';
    const shown =
      rows.length < data.methods.length || hidden.size > 0
        ? `; ${rows.length} of ${count(data.methods.length, 'method')} on ${sets.length} of ${count(data.sets.length, 'set')}`
        : '';
    fill(
      status,
      h('strong', {}, metric.name),
      `, ${direction}${metric.convention ? `, convention ${metric.convention}` : ''}${shown}`,
    );
  }

  chosen.subscribe(show);
  show();
  return [
    controls(
      choice('Metric', plainOptions(data.metrics.map(({ name }) => name)), chosen),
      data.methods.length > 1 && h('label', { class: 'field' }, h('span', {}, 'Methods'), filter),
      data.sets.length > 1 && setFilter(data.sets, hidden, show),
      hasPublished && h('label', { class: 'check' }, published, 'published figures'),
    ),
    status,
    place,
    failuresList(data),
  ];
}
