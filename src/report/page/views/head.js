// SPDX-License-Identifier: MIT
// What was compared, by which program, when; and the way to each section.
import { h } from '../dom.js';
import { count, longDate } from '../format.js';

function scope(results) {
  if (!results) return null;
  return [
    count(results.methods.length, 'method'),
    count(results.sets.length, 'set'),
    count(results.metrics.length, 'metric'),
  ].join(', ');
}

export function head(report, sections, themeSwitch) {
  const facts = [
    scope(report.results),
    report.program && `Mugrad ${report.program}`,
    report.created && longDate(report.created),
  ];
  return h(
    'header',
    {},
    h(
      'div',
      { class: 'bar' },
      h('h1', {}, report.title || 'Mugrad report'),
      h('div', { class: 'theme' }, themeSwitch),
    ),
    h('p', { class: 'facts' }, facts.filter(Boolean).join(' · ')),
    report.results?.protocol && h('p', { class: 'protocol' }, report.results.protocol),
    sections.length > 1 &&
      h(
        'nav',
        { 'aria-label': 'Sections' },
        h(
          'ul',
          {},
          sections.map(({ id, title }) => h('li', {}, h('a', { href: `#${id}` }, title))),
        ),
      ),
  );
}
