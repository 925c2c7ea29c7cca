// SPDX-License-Identifier: MIT
// Numbers and dates as people read them.

export const kMissing = '–';

/// The least and the largest of numbers, of which there may be more than a function can have arguments.
export function extent(numbers) {
  return numbers.reduce(([low, high], x) => [Math.min(low, x), Math.max(high, x)], [Infinity, -Infinity]);
}

/// Digits behind the point that suit a column of values: four for shares, fewer for larger ones.
export function digitsFor(values) {
  const [, largest] = extent([0, ...values.filter(Number.isFinite).map(Math.abs)]);
  if (largest < 10) return 4;
  return largest < 1000 ? 2 : 0;
}

export function fixed(value, digits) {
  return Number.isFinite(value) ? value.toFixed(digits).replace('-', '−') : kMissing;
}

/// A p-value: three digits, and never 0.
export function probability(p) {
  if (!Number.isFinite(p)) return kMissing;
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}

/// A number of a logarithmic grid: 0.01, 1, 1e-5.
export function gridNumber(value) {
  const size = Math.abs(value);
  if (value === 0 || (size >= 1e-3 && size < 1e5)) return String(Number(value.toPrecision(4)));
  return value.toExponential().replace('e+', 'e');
}

export function seconds(value) {
  if (value < 0.001) return `${Number((value * 1e6).toPrecision(3))} µs`;
  if (value < 1) return `${Number((value * 1e3).toPrecision(3))} ms`;
  return `${Number(value.toPrecision(3))} s`;
}

/// 2026-11-15 as 15 November 2026; anything else as it is.
export function longDate(text) {
  const match = /^(\d{4})-(\d{2})-(\d{2})/.exec(text);
  if (!match) return text;
  const date = new Date(Date.UTC(match[1], match[2] - 1, match[3]));
  return date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}

export function count(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/// A file name from words.
export function slug(...words) {
  return (
    words
      .join('-')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'chart'
  );
}
