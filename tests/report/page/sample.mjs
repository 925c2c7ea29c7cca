// SPDX-License-Identifier: MIT
// Documents for the page, made of arithmetic alone, so that they are always the same.

/// Numbers in [0, 1) that look random and are always the same.
export function numbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const kSets = ['emotions', 'scene', 'yeast', 'birds', 'enron', 'medical'];
const kMethods = [
  'MGD',
  'BR',
  'CC',
  'ECC',
  'LP',
  'RAkEL',
  'CLR',
  'LIFT',
  'LLSF',
  'LLSF-DL',
  'JFSC',
  'CAMEL',
  'STL',
];
const kMetrics = [
  ['average-precision', true],
  ['macro-f1', true],
  ['macro-f1 (mulan)', true],
  ['hamming-loss', false],
  ['coverage', false],
];

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

function names(known, count) {
  return Array.from(
    { length: count },
    (_, i) => known[i] ?? `${known[i % known.length]}-${Math.floor(i / known.length)}`,
  );
}

/// The cells of one metric on one set: values of each repeat, ranks, the best two, and marks against
/// the first method.
function cellsOn(set, [metric, larger], methods, random) {
  const scale = metric === 'coverage' ? 20 : 1;
  const base = 0.3 + 0.4 * random();
  const cells = methods.map((method, i) => {
    const level = base + (larger ? -1 : 1) * (0.012 * i + 0.04 * random());
    const repeats = Array.from({ length: 5 }, () => scale * (level + 0.02 * random()));
    const centre = mean(repeats);
    const deviation = Math.sqrt(mean(repeats.map((value) => (value - centre) ** 2)));
    return {
      metric,
      set,
      method,
      mean: centre,
      deviation,
      repeats: repeats.map((value, k) => ({ repeat: k + 1, value })),
      mark: '',
      published: i < 2 ? { mean: centre + 0.01, deviation: 0.012 } : null,
    };
  });
  const order = [...cells].sort((a, b) => (larger ? b.mean - a.mean : a.mean - b.mean));
  order.forEach((cell, i) => {
    Object.assign(cell, { rank: i + 1, best: i === 0, second: i === 1 });
    if (cell.method !== methods[0] && Math.abs(cell.mean - cells[0].mean) > 0.06 * scale)
      cell.mark = i > order.indexOf(cells[0]) ? 'worse' : 'better';
  });
  return cells;
}

/// Groups of methods whose mean ranks lie within the distance, none inside another.
function groupsWithin(ranked, distance) {
  const spans = ranked.map((first, i) =>
    ranked.filter(({ mean_rank: rank }, j) => j >= i && rank - first.mean_rank < distance),
  );
  return spans
    .filter((span, i) => span.length > 1 && !(i > 0 && spans[i - 1].at(-1) === span.at(-1)))
    .map((span) => span.map(({ name }) => name));
}

function statisticsOf(metric, cells, sets, methods, random) {
  const ranked = methods
    .map((name) => ({
      name,
      mean_rank: mean(
        cells.filter((cell) => cell.metric === metric && cell.method === name).map(({ rank }) => rank),
      ),
    }))
    .sort((a, b) => a.mean_rank - b.mean_rank);
  const distance = 0.5 * methods.length;
  const control = ranked.find(({ name }) => name === methods[0]);
  return {
    metric,
    sets: sets.length,
    methods: ranked,
    friedman: { chi_squared: 41.2, p: 0.00004, f: 6.71, f_p: 0.0000002 },
    nemenyi: { alpha: 0.05, critical_distance: distance, groups: groupsWithin(ranked, distance) },
    bonferroni_dunn: {
      alpha: 0.05,
      control: control.name,
      critical_distance: 0.4 * methods.length,
      different: ranked
        .filter(({ mean_rank: rank }) => Math.abs(rank - control.mean_rank) > 0.4 * methods.length)
        .map(({ name }) => name),
    },
    pairs: methods.flatMap((a, i) =>
      methods.slice(i + 1).map((b) => {
        const wins = Math.floor(random() * (sets.length + 1));
        const p = random() ** 4;
        return { a, b, wins, losses: sets.length - wins, ties: 0, p, holm: Math.min(1, 3 * p) };
      }),
    ),
  };
}

export function results({ sets, methods, metrics }) {
  const random = numbers(7);
  const setNames = names(kSets, sets);
  const methodNames = names(kMethods, methods);
  const used = kMetrics.slice(0, metrics);
  const cells = used.flatMap((metric) =>
    setNames.flatMap((set) => cellsOn(set, metric, methodNames, random)),
  );
  return {
    protocol:
      '5 random splits, 80 % to train, seed 1; hyper-parameters by 3-fold cross-validation on the training part',
    repeats: 5,
    sets: setNames.map((name, i) => ({
      name,
      rows: 593 + 700 * i,
      features: 72 + 50 * i,
      labels: 6 + 4 * i,
      cardinality: 1.87,
    })),
    methods: methodNames.map((name) => ({
      name,
      method: name.toLowerCase(),
      summary: `What ${name} does in a sentence`,
    })),
    metrics: used.map(([name, larger]) => ({
      name,
      larger_is_better: larger,
      convention: name.endsWith('(mulan)') ? 'mulan' : 'sklearn',
    })),
    cells,
    options: setNames.flatMap((set) =>
      methodNames.flatMap((method) =>
        Array.from({ length: 5 }, (_, repeat) => ({
          set,
          method,
          repeat: repeat + 1,
          values: { rho: String(10 ** -(repeat % 3)), sigma: '0.1' },
          threshold: '0.3',
        })),
      ),
    ),
    seconds: setNames.flatMap((set, i) =>
      methodNames.map((method, j) => ({ set, method, mean: 0.02 * (i + 1) ** 2 * (j + 1) ** 1.7 })),
    ),
    statistics:
      methods > 1 ? used.map(([metric]) => statisticsOf(metric, cells, setNames, methodNames, random)) : [],
  };
}

export function convergence(sets) {
  const iterations = Array.from({ length: 201 }, (_, i) => i);
  return sets.map((set, i) => ({
    set,
    metric: 'average-precision',
    setting: 'rho 0.1, sigma 0.1, step 0.02',
    curves: [
      ['MGD', 0.03],
      ['sigma 0, each label "alone"', 0.018],
      ['a [1].b', 0.012],
    ].map(([name, rate]) => ({
      name,
      iterations,
      total_loss: iterations.map((k) => (i + 1) * (0.2 + 3.9 * Math.exp(-rate * k))),
      metric: iterations.map((k) => 0.8 - 0.4 * Math.exp(-2 * rate * k)),
    })),
  }));
}

export function sensitivity(sets) {
  const grid = [1e-5, 1e-4, 0.001, 0.01, 0.1, 1, 10];
  return sets.map((set, k) => ({
    set,
    metric: k % 2 ? 'hamming-loss' : 'average-precision',
    larger_is_better: k % 2 === 0,
    rhos: grid,
    sigmas: grid,
    values: grid.map((_, i) =>
      grid.map((__, j) => {
        const peak = 0.8 - 0.01 * (i - 3) ** 2 - 0.006 * (j - 4) ** 2;
        return k % 2 ? 1 - peak : peak;
      }),
    ),
    fixed_rho: 0.01,
    fixed_sigma: 0.1,
  }));
}

/// A model in which each label borrows from three others.
export function relations(count) {
  const random = numbers(3);
  const labels = Array.from({ length: count }, (_, i) => ({
    name: `${['amazed', 'happy', 'relaxing', 'quiet', 'sad', 'angry'][i % 6]}-${i}`,
    positives: 20 + 3 * i,
  }));
  const links = labels
    .flatMap((_, label) =>
      [1, 2, 5].map((step) => ({ label, from: (label + step) % count, share: 0.1 + 0.5 * random() })),
    )
    .filter(({ label, from }) => label !== from);
  return { model: 'MGD on emotions, rho 0.1, sigma 0.1', labels, links };
}

export function wholeDocument({ sets = 6, methods = 13, metrics = 5, labels = 24 } = {}) {
  const names = kSets.slice(0, sets);
  return {
    version: 2,
    program: '0.1.0',
    created: '2026-11-15',
    title: 'Thirteen methods on six public sets',
    results: results({ sets, methods, metrics }),
    convergence: convergence(names),
    sensitivity: sensitivity(names),
    relations: relations(labels),
  };
}
