// SPDX-License-Identifier: MIT
// Elements without markup: every string becomes text, so that names from data stay names.

/// An element with attributes, listeners (onclick: f) and children; null and false children are left out.
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...present(children));
  return element;
}

/// Replaces all children.
export function fill(element, ...children) {
  element.replaceChildren(...present(children));
  return element;
}

function present(children) {
  return children.flat().filter((child) => child !== undefined && child !== null && child !== false);
}

/// A remark about what a view shows.
export function note(...children) {
  return h('p', { class: 'note' }, ...children);
}

/// What the reader can choose in a view.
export function controls(...children) {
  return h('div', { class: 'controls' }, ...children);
}

/// A row of a table, whose cells have this tag.
export function tableRow(tag, cells) {
  return h('tr', {}, ...cells.map((cell) => h(tag, {}, cell)));
}

let lastId = 0;

/// An id that no other element has.
export function newId(prefix) {
  lastId += 1;
  return `${prefix}-${lastId}`;
}
