// SPDX-License-Identifier: MIT
import { h, newId } from './dom.js';

const kMostButtons = 8;
const kMostLetters = 80;

/// Lets the reader choose one of the options ({value, text}) for a state; null when there is no choice.
export function choice(label, options, state) {
  if (options.length < 2) return null;
  const letters = options.reduce((sum, { text }) => sum + text.length, 0);
  return options.length <= kMostButtons && letters <= kMostLetters
    ? buttons(label, options, state)
    : menu(label, options, state);
}

function buttons(label, options, state) {
  const name = newId('choice');
  const inputs = options.map(({ value }) =>
    h('input', { type: 'radio', name, value, onchange: () => state.set(value) }),
  );
  const show = (chosen) =>
    options.forEach(({ value }, i) => {
      inputs[i].checked = value === chosen;
    });
  show(state.get());
  state.subscribe(show);
  return h(
    'fieldset',
    { class: 'buttons' },
    h('legend', {}, label),
    h(
      'div',
      {},
      options.map(({ text }, i) => h('label', {}, inputs[i], h('span', {}, text))),
    ),
  );
}

/// A drop-down menu, for long lists.
export function menu(label, options, state) {
  const select = h(
    'select',
    { onchange: () => state.set(options[select.selectedIndex].value) },
    options.map(({ text }) => h('option', {}, text)),
  );
  const show = (chosen) => {
    select.selectedIndex = options.findIndex(({ value }) => value === chosen);
  };
  show(state.get());
  state.subscribe(show);
  return h('label', { class: 'field' }, h('span', {}, label), select);
}

/// Options whose text is their value.
export function plainOptions(values) {
  return values.map((value) => ({ value, text: value }));
}
