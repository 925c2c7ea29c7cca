// SPDX-License-Identifier: MIT
// Which labels borrow from which.
import { chart } from '../chart.js';
import { menu } from '../choice.js';
import { controls, fill, h, note } from '../dom.js';
import { count, slug } from '../format.js';
import { curve, neighbourOrder, onCircle, strongest } from '../label_graph.js';
import { observable } from '../state.js';
import { plainColumn, sortableTable } from '../table.js';

const kMostLabels = 60;
const kMostLinks = 240;
const kMostRows = 100;
const kNobody = -1;
const percent = (share) => `${(100 * share).toFixed(1)} %`;

const pixels = (field) => ({ field, type: 'quantitative', scale: null, axis: null });

/// The points of each link, the weakest first, so that the strongest lies on top.
function linkRows(links, places, centre, nameOf) {
  return [...links].reverse().flatMap(({ label, from, share }, link) =>
    curve(places.get(from), places.get(label), centre).map((point, order) => ({
      ...point,
      link,
      order,
      label,
      from,
      share,
      borrower: nameOf(label),
      lender: nameOf(from),
      percent: percent(share),
    })),
  );
}

function nameLayer(values, left, limit, fontSize) {
  return {
    data: { values: values.filter((label) => label.left === left) },
    mark: { type: 'text', align: left ? 'right' : 'left', baseline: 'middle', limit, fontSize },
    encoding: {
      x: pixels('textX'),
      y: pixels('textY'),
      angle: { field: 'angle', type: 'quantitative', scale: null },
      text: { field: 'name' },
      opacity: { condition: { test: 'focus < 0 || datum.near[focus + 1]', value: 1 }, value: 0.35 },
      tooltip: labelTooltip,
    },
  };
}

const labelTooltip = [
  { field: 'name', title: 'label' },
  { field: 'positives', title: 'positives' },
];

/// For each label, by index + 1, whether it is that label or linked to it; entry 0 is for nobody.
function nearness(order, links, total) {
  const near = new Map(order.map((i) => [i, Array(total + 1).fill(false)]));
  for (const i of order) near.get(i)[i + 1] = true;
  for (const { label, from } of links) {
    near.get(label)[from + 1] = true;
    near.get(from)[label + 1] = true;
  }
  return near;
}

function graph(relations, part, focus, boxWidth, colours) {
  const { order, links } = part;
  const names = relations.labels.map(({ name }) => name);
  const longest = Math.max(...order.map((i) => names[i].length));
  const limit = Math.min(120, 8 + 6.2 * longest);
  const size = Math.max(order.length > 24 ? 420 : 300, Math.min(620, boxWidth - 12));
  const radius = size / 2 - limit - 12;
  const centre = size / 2;
  const places = onCircle(order, centre, radius);
  const near = nearness(order, links, names.length);
  const labels = order.map((i) => {
    const { outside, ...at } = places.get(i);
    return {
      ...at,
      index: i,
      name: names[i],
      textX: outside.x,
      textY: outside.y,
      positives: relations.labels[i].positives ?? '–',
      near: near.get(i),
    };
  });
  const fontSize = Math.max(8, Math.min(12, (2 * Math.PI * radius) / order.length - 1));
  return {
    width: size,
    height: size,
    padding: 2,
    description: `Labels on a circle; a line from one to another is as wide as what is borrowed`,
    params: [{ name: 'focus', value: focus }],
    layer: [
      {
        data: { values: linkRows(links, places, centre, (i) => names[i]) },
        mark: { type: 'line', interpolate: 'natural', strokeCap: 'round' },
        encoding: {
          x: pixels('x'),
          y: pixels('y'),
          detail: { field: 'link' },
          order: { field: 'order' },
          strokeWidth: {
            field: 'share',
            type: 'quantitative',
            legend: null,
            scale: { domain: [0, links[0]?.share ?? 1], range: [0.4, Math.max(2.5, radius / 35)] },
          },
          stroke: {
            condition: { test: 'datum.from === focus', value: colours.second },
            value: colours.accent,
          },
          strokeOpacity: {
            condition: [
              { test: 'focus < 0', value: 0.45 },
              { test: 'datum.label === focus || datum.from === focus', value: 0.9 },
            ],
            value: 0.05,
          },
          tooltip: [
            { field: 'borrower', title: 'label' },
            { field: 'lender', title: 'borrows from' },
            { field: 'percent', title: 'share' },
          ],
        },
      },
      {
        data: { values: labels },
        mark: { type: 'circle', opacity: 1, color: colours.text },
        encoding: {
          x: pixels('x'),
          y: pixels('y'),
          size: { condition: { test: 'datum.index === focus', value: 130 }, value: 50 },
          tooltip: labelTooltip,
        },
      },
      nameLayer(labels, false, limit, fontSize),
      nameLayer(labels, true, limit, fontSize),
    ],
  };
}

/// Pointing at a label shows its links alone; the label chosen in the menu is shown otherwise.
function followPointer(view, chosen) {
  const focus = (index) => view.signal('focus', index).runAsync();
  view.addEventListener('pointerover', (_, item) => {
    if (item?.datum?.index !== undefined) focus(item.datum.index);
  });
  view.addEventListener('pointerout', () => focus(chosen.get()));
}

function borrowings(relations, focus) {
  const name = (i) => relations.labels[i].name;
  const all = relations.links
    .filter(({ label, from }) => label !== from && (focus === kNobody || label === focus || from === focus))
    .sort((a, b) => b.share - a.share);
  const rows = all.slice(0, kMostRows);
  const columns = [
    plainColumn('label', 'Label', ({ label }) => name(label)),
    plainColumn('from', 'borrows from', ({ from }) => name(from)),
    {
      ...plainColumn('share', 'Share'),
      number: true,
      first: 'descending',
      cell: ({ share }) => percent(share),
    },
  ];
  const table = sortableTable({
    label: 'Strongest borrowings',
    columns,
    rows,
    sort: { key: 'share', direction: 'descending' },
    empty: 'It borrows nothing and lends nothing.',
  });
  table.classList.add('tall');
  return [
    h('h3', {}, 'Strongest borrowings'),
    table,
    all.length > rows.length && note(`The ${rows.length} strongest of ${all.length}.`),
  ];
}

function coverage(relations, part) {
  const labels =
    part.order.length < relations.labels.length
      ? `the ${part.order.length} strongest of ${relations.labels.length} labels`
      : `all ${count(relations.labels.length, 'label')}`;
  const links =
    part.links.length < part.left
      ? `the ${part.links.length} strongest of the ${part.left} links between them`
      : count(part.links.length, 'link');
  return `Shown: ${labels}, ${links}. The wider a line, the larger the share of a label's transfer that comes from the other. `;
}

export function relations(report) {
  const data = report.relations;
  if (!data || data.labels.length === 0 || data.links.length === 0) return null;
  const { kept, links, left } = strongest(data, kMostLabels, kMostLinks);
  if (kept.length === 0) return null;
  const part = { order: neighbourOrder(kept, links), links, left };
  const chosen = observable(kNobody);
  const figure = chart({
    title: () => data.model || 'Label relations',
    name: () => slug('relations', data.model ?? ''),
    spec: (width, colours) => graph(data, part, chosen.get(), width, colours),
    drawn: (view) => followPointer(view, chosen),
  });
  const table = h('div');
  const show = () => {
    fill(table, borrowings(data, chosen.get()));
    figure.update();
  };
  chosen.subscribe(show);
  show();
  const byName = [...part.order].sort((a, b) =>
    data.labels[a].name.localeCompare(data.labels[b].name, 'en', { numeric: true }),
  );
  return [
    note(
      coverage(data, part),
      'Of a label pointed at: ',
      h('span', { class: 'key accent' }, 'what it borrows'),
      ' and ',
      h('span', { class: 'key second-colour' }, 'what it lends'),
      '.',
    ),
    controls(
      menu(
        'Label',
        [
          { value: kNobody, text: 'all labels' },
          ...byName.map((i) => ({ value: i, text: data.labels[i].name })),
        ],
        chosen,
      ),
    ),
    h('div', { class: 'grid wide-left' }, figure.element, table),
  ];
}
