// SPDX-License-Identifier: MIT
// Mean ranks on an axis, with bars over methods that do not differ (Demsar's diagram).
import { chart } from '../chart.js';
import { choice, plainOptions } from '../choice.js';
import { controls, fill, h, note } from '../dom.js';
import { count, fixed, probability, slug } from '../format.js';

const kAxisY = 52;
const kBarStep = 9;
const kNameStep = 21;
const kTickRoom = 18;

/// Bars over groups, each in the highest row where it overlaps no other; a bar within another says nothing new.
export function stackGroups(groups, rankOf) {
  const spans = groups
    .map((group) => group.map(rankOf).filter(Number.isFinite))
    .filter((ranks) => ranks.length > 1)
    .map((ranks) => ({ from: Math.min(...ranks), to: Math.max(...ranks) }))
    .sort((a, b) => a.from - b.from || b.to - a.to);
  const ends = [];
  return spans.map((span) => {
    const free = ends.findIndex((end) => end < span.from);
    const row = free < 0 ? ends.length : free;
    ends[row] = span.to;
    return { ...span, row };
  });
}

/// Names to the left for the better half, to the right for the others, nearest the middle lowest.
function placeNames(methods, firstY, control) {
  const half = Math.ceil(methods.length / 2);
  return methods.map(({ name, mean_rank: rank }, i) => {
    const left = i < half;
    const level = left ? i : methods.length - 1 - i;
    const shown = rank.toFixed(2);
    return {
      name,
      rank,
      side: left ? 'left' : 'right',
      y: firstY + level * kNameStep,
      control: name === control,
      text: left ? `${name}  ${shown}` : `${shown}  ${name}`,
    };
  });
}

const pixels = (field) => ({ field, type: 'quantitative', scale: null, axis: null });
const rank = { field: 'rank', type: 'quantitative' };
const fromTo = { x: { field: 'from', type: 'quantitative' }, x2: { field: 'to' } };
const layer = (values, mark, encoding) => ({ data: { values }, mark, encoding });

/// An axis from 1 to `last`; ticks have as many numbers as there is room for.
function axisLayers(last, step) {
  const every = Math.ceil(kTickRoom / step);
  const ticks = Array.from({ length: last }, (_, i) => ({
    rank: i + 1,
    text: i % every === 0 ? String(i + 1) : '',
    y: kAxisY - 5,
    y2: kAxisY,
  }));
  return [
    layer([{ from: 1, to: last }], { type: 'rule', strokeWidth: 1.5 }, { ...fromTo, y: { value: kAxisY } }),
    layer(ticks, { type: 'rule' }, { x: rank, y: pixels('y'), y2: { field: 'y2' } }),
    layer(
      ticks,
      { type: 'text', baseline: 'bottom', dy: -7 },
      { x: rank, y: { value: kAxisY }, text: { field: 'text' } },
    ),
  ];
}

function distanceLayers(distance) {
  const values = [{ from: 1, to: 1 + distance, text: `CD = ${distance.toFixed(2)}` }];
  const ends = [{ rank: 1 }, { rank: 1 + distance }];
  const rule = { type: 'rule', strokeWidth: 2 };
  return [
    layer(values, rule, { ...fromTo, y: { value: 20 } }),
    layer(ends, rule, { x: rank, y: { value: 15 }, y2: { value: 25 } }),
    layer(
      values,
      { type: 'text', align: 'left', baseline: 'bottom', dy: -7 },
      { x: fromTo.x, y: { value: 20 }, text: { field: 'text' } },
    ),
  ];
}

function controlLayer(dunn, rankOf, top, colours) {
  const at = rankOf(dunn.control);
  if (!Number.isFinite(at)) return [];
  const values = [
    { from: Math.max(1, at - dunn.critical_distance), to: Math.min(top, at + dunn.critical_distance) },
  ];
  return [
    layer(
      values,
      { type: 'rect', color: colours.second, opacity: 0.35, cornerRadius: 3 },
      { ...fromTo, y: { value: kAxisY - 5 }, y2: { value: kAxisY + 5 } },
    ),
  ];
}

function nameLayers(names, width, labelWidth, colours) {
  const tooltip = [
    { field: 'name', title: 'method' },
    { field: 'rank', title: 'mean rank', format: '.3f' },
  ];
  const rule = { type: 'rule', color: colours.muted };
  const color = { condition: { test: 'datum.control', value: colours.second }, value: colours.text };
  const side = (which, edge, outside, align) => {
    const values = names.filter((entry) => entry.side === which);
    return [
      layer(values, rule, { x: rank, x2: { value: edge }, y: pixels('y') }),
      layer(values, rule, { x: rank, y: pixels('y'), y2: { value: kAxisY } }),
      layer(
        values,
        { type: 'text', align, baseline: 'middle', limit: labelWidth },
        { x: { value: outside }, y: pixels('y'), text: { field: 'text' }, tooltip, color },
      ),
      layer(
        values,
        { type: 'circle', size: 34, opacity: 1 },
        { x: rank, y: { value: kAxisY }, tooltip, color },
      ),
    ];
  };
  return [...side('left', 0, -6, 'right'), ...side('right', width, width + 6, 'left')];
}

function diagram(statistics, boxWidth, colours) {
  const methods = [...statistics.methods].sort((a, b) => a.mean_rank - b.mean_rank);
  const ranks = new Map(methods.map(({ name, mean_rank: rank }) => [name, rank]));
  const rankOf = (name) => ranks.get(name);
  const { nemenyi, bonferroni_dunn: dunn } = statistics;
  const top = Math.max(methods.length, nemenyi ? 1 + nemenyi.critical_distance : 0);
  const bars = stackGroups(nemenyi?.groups ?? [], rankOf).map(({ from, to, row }) => ({
    from,
    to,
    y: kAxisY + 12 + row * kBarStep,
  }));
  const firstY = Math.max(kAxisY + 12, ...bars.map(({ y }) => y)) + 18;
  const names = placeNames(methods, firstY, dunn?.control);
  const labelWidth = Math.min(170, 6 + 6.8 * Math.max(...names.map(({ text }) => text.length)));
  const width = Math.max(130, Math.min(760, boxWidth - 2 * labelWidth - 24));
  const layers = [
    ...(dunn ? controlLayer(dunn, rankOf, top, colours) : []),
    ...nameLayers(names, width, labelWidth, colours),
    ...axisLayers(methods.length, width / (top - 1)),
    ...(nemenyi ? distanceLayers(nemenyi.critical_distance) : []),
    layer(
      bars,
      { type: 'rule', strokeWidth: 4.5, strokeCap: 'round', color: colours.accent },
      { ...fromTo, y: pixels('y') },
    ),
  ];
  return {
    width,
    height: Math.max(...names.map(({ y }) => y)) + 8,
    description: `Mean ranks: ${names.map(({ name, rank }) => `${name} ${rank.toFixed(2)}`).join(', ')}`,
    encoding: { x: { axis: null, scale: { domain: [1, top], nice: false, zero: false } } },
    layer: layers,
  };
}

function friedmanText({ friedman, sets, methods }) {
  if (!friedman) return null;
  return note(
    `Friedman over ${count(sets, 'set')} and ${methods.length} methods: `,
    `χ² = ${fixed(friedman.chi_squared, 2)}, ${withSign('p', friedman.p)}; `,
    `Iman and Davenport's F = ${fixed(friedman.f, 2)}, ${withSign('p', friedman.f_p)}.`,
  );
}

/// p = 0.012 or p < 0.001, not broken over lines.
function withSign(name, p) {
  const text = probability(p);
  return `${name} ${text.startsWith('<') ? text : `= ${text}`}`.replaceAll(' ', '\u00a0');
}

function readingText({ nemenyi, bonferroni_dunn: dunn }) {
  const sentences = [];
  if (nemenyi) sentences.push(`Methods under one bar do not differ by Nemenyi's test at ${nemenyi.alpha}.`);
  if (dunn) {
    const others = dunn.different.length > 0 ? dunn.different.join(', ') : 'none';
    sentences.push(
      `The shaded part of the axis is within the distance of Bonferroni and Dunn, ` +
        `${fixed(dunn.critical_distance, 2)} at ${dunn.alpha}, of ${dunn.control}; different from it: ${others}.`,
    );
  }
  return sentences.length > 0 && note(sentences.join(' '));
}

export function criticalDifference(report, { metric: chosen }) {
  const ranked = (report.results?.statistics ?? []).filter(({ methods }) => methods.length > 1);
  if (ranked.length === 0) return null;
  const current = () => ranked.find(({ metric }) => metric === chosen.get());
  const shown = () => current() ?? ranked[0];
  const figure = chart({
    title: () => `Mean ranks: ${shown().metric}`,
    name: () => slug('ranks', shown().metric),
    spec: (width, colours) => diagram(shown(), width, colours),
  });
  const notes = h('div');
  const missing = note();

  function show() {
    figure.element.hidden = !current();
    fill(missing, current() ? '' : `${chosen.get()} has no ranks.`);
    fill(notes, current() && [friedmanText(current()), readingText(current())]);
    if (current()) figure.update();
  }
  chosen.subscribe(show);
  show();
  return [
    controls(choice('Metric', plainOptions(ranked.map(({ metric }) => metric)), chosen)),
    missing,
    figure.element,
    notes,
  ];
}
