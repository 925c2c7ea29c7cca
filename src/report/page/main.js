// SPDX-License-Identifier: MIT
import { DocumentError, parseDocument } from './document.js';
import { fill, h } from './dom.js';
import { observable } from './state.js';
import { installTheme, themeSwitch } from './theme.js';
import { installTooltip } from './tooltip.js';
import { convergence } from './views/convergence.js';
import { criticalDifference } from './views/critical_difference.js';
import { head } from './views/head.js';
import { pairs } from './views/pairs.js';
import { relations } from './views/relations.js';
import { results } from './views/results.js';
import { sensitivity } from './views/sensitivity.js';
import { timings } from './views/timings.js';

// Each view gives the contents of its section, or null when the document has nothing for it.
const kSections = [
  { id: 'results', title: 'Results', view: results },
  { id: 'ranks', title: 'Critical differences', view: criticalDifference },
  { id: 'pairs', title: 'Pairs', view: pairs },
  { id: 'convergence', title: 'Convergence', view: convergence },
  { id: 'sensitivity', title: 'Sensitivity', view: sensitivity },
  { id: 'relations', title: 'Label relations', view: relations },
  { id: 'timings', title: 'Timings', view: timings },
];

function sections(report) {
  // The sections about metrics show the same one.
  const shared = { metric: observable(report.results?.metrics[0]?.name) };
  return kSections.flatMap(({ id, title, view }) => {
    const contents = view(report, shared);
    if (!contents) return [];
    return [
      {
        id,
        title,
        element: h(
          'section',
          { id, 'aria-labelledby': `${id}-title` },
          h('h2', { id: `${id}-title` }, title),
          contents,
        ),
      },
    ];
  });
}

function message(error) {
  const reason =
    error instanceof DocumentError ? error.message : `Something in it is not as expected: ${error.message}`;
  return h(
    'div',
    { class: 'message', role: 'alert' },
    h('h1', {}, 'This report cannot be shown'),
    h('p', {}, reason),
    h('p', {}, 'Run mugrad report again to write a new one.'),
  );
}

function show() {
  const top = document.getElementById('top');
  const content = document.getElementById('content');
  installTheme();
  installTooltip();
  try {
    const report = parseDocument(document.getElementById('document').textContent);
    const parts = sections(report);
    document.title = report.title || document.title;
    fill(top, head(report, parts, themeSwitch()));
    fill(
      content,
      parts.length > 0
        ? parts.map(({ element }) => element)
        : h('p', { class: 'message' }, 'This report has no results yet.'),
    );
  } catch (error) {
    fill(top);
    fill(content, message(error));
  }
}

show();
