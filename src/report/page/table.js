// SPDX-License-Identifier: MIT
// Tables that sort when a header is pressed and whose cells are walked with the arrow keys.
import { fill, h } from './dom.js';
import { describe } from './tooltip.js';

const kOpposite = { ascending: 'descending', descending: 'ascending' };

/// Orders rows by a column; rows without a value come last in both directions.
export function sorted(rows, column, direction) {
  const sign = direction === 'ascending' ? 1 : -1;
  return [...rows].sort((left, right) => {
    const a = column.value(left);
    const b = column.value(right);
    const missing = Number(isMissing(a)) - Number(isMissing(b));
    if (missing !== 0 || isMissing(a)) return missing;
    return sign * (typeof a === 'string' ? a.localeCompare(b, 'en', { numeric: true }) : a - b);
  });
}

function isMissing(value) {
  return value === null || value === undefined || Number.isNaN(value);
}

/// A column of sortableTable that shows what it sorts by.
export function plainColumn(key, title, value = (row) => row[key]) {
  return { key, title, first: 'ascending', value, cell: value };
}

/// A table in a box that scrolls.
/// A column is {key, title, value(row), cell(row), first, number, note, about(row)}:
/// `first` is the direction of the first press, `note` and `about` make tooltips of the header and of a cell.
/// The first column heads the rows.
/// `sort` is {key, direction}; it is changed in place, so that it outlives the table.
export function sortableTable({ label, columns, rows, sort, empty }) {
  if (!columns.some(({ key }) => key === sort.key))
    Object.assign(sort, { key: columns[0].key, direction: columns[0].first });
  const headers = columns.map((column) => header(column, () => press(column)));
  const body = h('tbody');

  function press(column) {
    const direction = sort.key === column.key ? kOpposite[sort.direction] : column.first;
    Object.assign(sort, { key: column.key, direction });
    show();
  }

  function show() {
    columns.forEach(({ key }, i) =>
      headers[i].setAttribute('aria-sort', key === sort.key ? sort.direction : 'none'),
    );
    const ordered = sorted(
      rows,
      columns.find(({ key }) => key === sort.key),
      sort.direction,
    );
    fill(
      body,
      ordered.map((row) =>
        h(
          'tr',
          {},
          columns.map((column, i) => bodyCell(column, row, i === 0)),
        ),
      ),
    );
    if (ordered.length === 0)
      fill(body, h('tr', {}, h('td', { colspan: columns.length, class: 'empty' }, empty)));
    walkWithArrows(body);
  }

  show();
  const table = h('table', { 'aria-label': label }, h('thead', {}, h('tr', {}, headers)), body);
  // Where no cell takes the focus, the box does, so that the keyboard can scroll it.
  const tabindex = columns.some(({ about }) => about) ? undefined : 0;
  return h('div', { class: 'scroll', role: 'group', 'aria-label': `${label}, scrolls`, tabindex }, table);
}

function header(column, press) {
  const button = h(
    'button',
    { type: 'button', onclick: press },
    column.title,
    h('span', { class: 'arrow', 'aria-hidden': 'true' }),
  );
  if (column.note) describe(button, column.note);
  return h('th', { scope: 'col', class: column.number && 'number' }, button);
}

function bodyCell(column, row, heads) {
  const attributes = { class: column.number && 'number', ...(heads && { scope: 'row' }) };
  const cell = h(heads ? 'th' : 'td', attributes, column.cell(row));
  if (column.about) {
    cell.tabIndex = -1;
    describe(cell, () => column.about(row));
  }
  return cell;
}

const kSteps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/// One cell of the body is a stop of the tab key; the arrow keys move on from there.
function walkWithArrows(body) {
  const stop = body.querySelector('[tabindex]');
  if (!stop) return;
  stop.tabIndex = 0;
  body.onkeydown = (event) => {
    const step = kSteps[event.key];
    const from = event.target.closest('td, th');
    if (!step || !from) return;
    const to = body.rows[from.parentElement.sectionRowIndex + step[0]]?.cells[from.cellIndex + step[1]];
    if (!to?.hasAttribute('tabindex')) return;
    event.preventDefault();
    for (const old of body.querySelectorAll('[tabindex="0"]')) old.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  };
}
