// SPDX-License-Identifier: MIT
// The document that the page shows: docs/report-document.md describes it.

const kVersion = 2;

/// What is wrong with a document, in one sentence.
export class DocumentError extends Error {}

const text = (value, where) => expect(typeof value === 'string', where, 'a text');
const number = (value, where) => expect(typeof value === 'number', where, 'a number');
const flag = (value, where) => expect(typeof value === 'boolean', where, 'true or false');
const numberOrNull = (value, where) =>
  expect(value === null || typeof value === 'number', where, 'a number or null');
const maybe = (shape) => (value, where) => {
  if (value !== null && value !== undefined) shape(value, where);
};

function expect(holds, where, what) {
  if (!holds) throw new DocumentError(`${where} is not ${what}.`);
}

function list(shape) {
  return (value, where) => {
    expect(Array.isArray(value), where, 'a list');
    value.forEach((entry, i) => shape(entry, `${where}[${i}]`));
  };
}

function object(fields) {
  return (value, where) => {
    expect(value !== null && typeof value === 'object' && !Array.isArray(value), where, 'an object');
    for (const [name, shape] of Object.entries(fields)) shape(value[name], where ? `${where}.${name}` : name);
  };
}

const records = (fields) => list(object(fields));

const statistics = object({
  metric: text,
  sets: number,
  methods: records({ name: text, mean_rank: number }),
  friedman: maybe(object({ chi_squared: numberOrNull, p: numberOrNull, f: numberOrNull, f_p: numberOrNull })),
  nemenyi: maybe(object({ alpha: number, critical_distance: number, groups: list(list(text)) })),
  bonferroni_dunn: maybe(
    object({ alpha: number, control: text, critical_distance: number, different: list(text) }),
  ),
  pairs: maybe(
    records({
      a: text,
      b: text,
      wins: number,
      losses: number,
      ties: number,
      p: numberOrNull,
      holm: numberOrNull,
    }),
  ),
});

const results = object({
  protocol: maybe(text),
  repeats: maybe(number),
  sets: records({ name: text }),
  methods: records({ name: text }),
  metrics: records({ name: text, larger_is_better: flag }),
  cells: records({
    metric: text,
    set: text,
    method: text,
    mean: numberOrNull,
    deviation: maybe(number),
    repeats: maybe(records({ repeat: number, value: number })),
    rank: maybe(number),
    mark: maybe(text),
    published: maybe(object({ mean: number, deviation: maybe(number) })),
  }),
  options: maybe(records({ set: text, method: text, repeat: number, values: maybe(object({})) })),
  seconds: maybe(records({ set: text, method: text, mean: numberOrNull })),
  statistics: maybe(list(statistics)),
});

const shape = object({
  program: maybe(text),
  created: maybe(text),
  title: maybe(text),
  results: maybe(results),
  convergence: maybe(
    records({
      set: text,
      metric: text,
      setting: maybe(text),
      curves: records({
        name: text,
        iterations: list(number),
        total_loss: maybe(list(numberOrNull)),
        metric: maybe(list(numberOrNull)),
      }),
    }),
  ),
  sensitivity: maybe(
    records({
      set: text,
      metric: text,
      larger_is_better: flag,
      rhos: list(number),
      sigmas: list(number),
      values: list(list(numberOrNull)),
      fixed_rho: maybe(number),
      fixed_sigma: maybe(number),
    }),
  ),
  relations: maybe(
    object({
      model: maybe(text),
      labels: records({ name: text }),
      links: records({ label: number, from: number, share: number }),
    }),
  ),
});

/// A text as it is shown: what a control character, a line separator or a mark that turns the direction of
/// writing would do becomes visible. Vega takes line separators in names for ends of lines of a program.
function shown(text) {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/// The document in a text of JSON. Throws DocumentError when it is not one that this page can show.
export function parseDocument(json) {
  let document;
  try {
    document = JSON.parse(json, (_, value) => (typeof value === 'string' ? shown(value) : value));
  } catch (error) {
    throw new DocumentError(`It is not JSON: ${error.message}`);
  }
  object({})(document, 'The document');
  if (document.version !== kVersion) {
    const found = document.version === undefined ? 'has no version' : `is of version ${document.version}`;
    throw new DocumentError(`It ${found}, and this page shows version ${kVersion}.`);
  }
  shape(document, '');
  checkLinks(document.relations);
  return document;
}

function checkLinks(relations) {
  const known = (i) => relations.labels[i] !== undefined;
  relations?.links.forEach(({ label, from }, i) =>
    expect(known(label) && known(from), `relations.links[${i}]`, 'between two of the labels'),
  );
}
