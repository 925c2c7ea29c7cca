// SPDX-License-Identifier: MIT
// One tooltip for the whole page: tables and charts share it.
import { h, fill } from './dom.js';

const kGap = 12;
const box = h('div', { id: 'tooltip', role: 'tooltip', hidden: true });
let owner = null; // the element of a table that it describes
let mark = null; // or the mark of a chart under the pointer, and where that was

export function installTooltip() {
  document.body.append(box);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hideTooltip();
  });
  document.addEventListener('scroll', follow, { capture: true, passive: true });
}

/// Keeps to its element when that is scrolled, as it is when the focus moves to it.
/// Goes when the mark that it belongs to has moved away.
function follow() {
  const area = owner?.getBoundingClientRect();
  if (area && area.bottom > 0 && area.top < window.innerHeight) place(area);
  else if (!mark || !samePlace(mark.area, mark.element.getBoundingClientRect())) hideTooltip();
}

function samePlace(a, b) {
  return a.left === b.left && a.top === b.top;
}

export function hideTooltip() {
  box.hidden = true;
  owner?.removeAttribute('aria-describedby');
  owner = null;
  mark = null;
}

/// Shows content beside an area of the window: {left, top, bottom}.
function showTooltip(content, area) {
  fill(box, content);
  box.hidden = false;
  place(area);
}

function place(area) {
  const { width, height } = box.getBoundingClientRect();
  const left = Math.min(Math.max(kGap, area.left), document.documentElement.clientWidth - width - kGap);
  const below = area.bottom + kGap;
  const top = below + height <= window.innerHeight ? below : Math.max(kGap, area.top - kGap - height);
  box.style.left = `${Math.max(0, left)}px`;
  box.style.top = `${top}px`;
}

/// Shows content() while the pointer or the focus is on the element.
export function describe(element, content) {
  const show = () => {
    hideTooltip();
    showTooltip(content(), element.getBoundingClientRect());
    owner = element;
    element.setAttribute('aria-describedby', box.id);
  };
  const hide = () => {
    if (owner === element) hideTooltip();
  };
  element.addEventListener('pointerenter', show);
  element.addEventListener('pointerleave', hide);
  element.addEventListener('focusin', show);
  element.addEventListener('focusout', hide);
}

/// Names and values, one pair per line.
export function pairsList(pairs) {
  return h(
    'dl',
    {},
    pairs.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
  );
}

/// What Vega calls for tooltips: value is an object of texts.
export function vegaTooltip(_handler, event, _item, value) {
  if (value === null || value === undefined || value === '') return hideTooltip();
  const { clientX: x, clientY: y, target } = event;
  mark = { element: target, area: target.getBoundingClientRect() };
  return showTooltip(pairsList(Object.entries(value)), { left: x + kGap, top: y, bottom: y });
}
