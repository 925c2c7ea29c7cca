// SPDX-License-Identifier: MIT
// Which labels and links of a transfer are drawn, and where.

const kCurvePoints = 9;

/// The labels that lend and borrow most, at most `most`, with the links between them, strongest first.
export function strongest({ labels, links }, most, mostLinks) {
  const strength = labels.map(() => 0);
  const between = links.filter(({ label, from, share }) => label !== from && share > 0);
  for (const { label, from, share } of between) {
    strength[label] += share;
    strength[from] += share;
  }
  const kept = labels
    .map((_, i) => i)
    .filter((i) => strength[i] > 0)
    .sort((a, b) => strength[b] - strength[a] || a - b)
    .slice(0, most);
  const known = new Set(kept);
  const inside = between
    .filter(({ label, from }) => known.has(label) && known.has(from))
    .sort((a, b) => b.share - a.share);
  return { kept, links: inside.slice(0, mostLinks), left: inside.length };
}

/// The labels in a row in which each stands beside the one it shares most with, as far as that is free.
export function neighbourOrder(kept, links) {
  const shared = new Map();
  const key = (a, b) => (a < b ? `${a} ${b}` : `${b} ${a}`);
  for (const { label, from, share } of links)
    shared.set(key(label, from), (shared.get(key(label, from)) ?? 0) + share);
  const open = [...kept];
  const order = open.splice(0, 1);
  while (open.length > 0) {
    const last = order[order.length - 1];
    const weight = (i) => shared.get(key(last, i)) ?? 0;
    const next = open.reduce((best, i) => (weight(i) > weight(best) ? i : best));
    order.push(...open.splice(open.indexOf(next), 1));
  }
  return order;
}

/// Places on a circle about (centre, centre), with the angle at which a name is read from the outside.
export function onCircle(order, centre, radius) {
  return new Map(
    order.map((label, i) => {
      const turn = (2 * Math.PI * i) / order.length - Math.PI / 2;
      const left = Math.cos(turn) < -1e-9;
      const at = (r) => ({ x: centre + r * Math.cos(turn), y: centre + r * Math.sin(turn) });
      return [
        label,
        { ...at(radius), outside: at(radius + 9), left, angle: (turn * 180) / Math.PI + (left ? 180 : 0) },
      ];
    }),
  );
}

/// Points of a curve from one place to another, bent towards the centre: the farther they are apart, the more.
export function curve(from, to, centre) {
  const apart = Math.hypot(from.x - to.x, from.y - to.y) / (2 * Math.hypot(from.x - centre, from.y - centre));
  const bend = (a, b) => centre + (1 - 0.8 * apart) * 0.8 * ((a + b) / 2 - centre);
  const along = (a, b, t) => (1 - t) ** 2 * a + 2 * t * (1 - t) * bend(a, b) + t ** 2 * b;
  return Array.from({ length: kCurvePoints }, (_, i) => i / (kCurvePoints - 1)).map((t) => ({
    x: along(from.x, to.x, t),
    y: along(from.y, to.y, t),
  }));
}
