// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { chartsDrawn, column, download, embed, startBrowser } from './browser.mjs';
import { relations, results, wholeDocument } from './sample.mjs';

const kResults = '#results table';
let browser;
before(async () => { browser = await startBrowser(); });
after(() => browser?.stop());

/// Runs the body on an opened page, and asserts afterwards that nothing went wrong in it.
async function withPage(document, options, body) {
  const { page, problems, close } = await browser.open(document, options);
  await body(page);
  assert.deepEqual(problems, []);
  await close();
}

const sectionIds = (page) => page.locator('main > section').evaluateAll((sections) => sections.map(({ id }) => id));
const sortOf = (page, name) => page.locator(`${kResults} thead th`, { has: page.getByRole('button', { name, exact: true }) }).getAttribute('aria-sort');
const bodyOverflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function screenshot(page, name) {
  const folder = process.env.MUGRAD_SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
}

test('a whole document shows every section without an error or a request', async () => {
  await withPage(wholeDocument(), {}, async (page) => {
    await chartsDrawn(page);
    assert.deepEqual(await sectionIds(page), ['results', 'ranks', 'pairs', 'convergence', 'sensitivity', 'relations', 'timings']);
    assert.equal(await page.locator('h1').textContent(), 'Thirteen methods on six public sets');
    assert.match(await page.locator('.facts').textContent(), /13 methods, 6 sets, 5 metrics · Mugrad 0\.1\.0 · 15 November 2026/);
    assert.equal((await column(page, kResults, 1)).length, 13);
  });
});

test('one set and one method are shown without the sections that compare', async () => {
  await withPage({ version: 1, results: results({ sets: 1, methods: 1, metrics: 1 }) }, {}, async (page) => {
    await chartsDrawn(page);
    assert.deepEqual(await sectionIds(page), ['results', 'timings']);
    assert.deepEqual(await column(page, kResults, 1), ['MGD']);
  });
});

test('empty and absent sections are left out', async () => {
  const empty = { ...results({ sets: 2, methods: 2, metrics: 1 }), seconds: [], statistics: [], options: [] };
  await withPage({ version: 1, title: 'x', results: empty, convergence: [], sensitivity: [], relations: { labels: [], links: [] } }, {}, async (page) => {
    assert.deepEqual(await sectionIds(page), ['results']);
  });
  await withPage({ version: 1, title: 'x', relations: relations(6) }, {}, async (page) => {
    await chartsDrawn(page);
    assert.deepEqual(await sectionIds(page), ['relations']);
  });
  await withPage({ version: 1, title: 'nothing' }, {}, async (page) => {
    assert.match(await page.locator('main').textContent(), /no results yet/);
  });
});

test('values that are missing leave a dash, come last, and have no mean rank', async () => {
  const data = results({ sets: 2, methods: 3, metrics: 1 });
  data.cells = data.cells.filter(({ set, method }) => !(set === 'scene' && method === 'BR'));
  data.cells.find(({ set, method }) => set === 'scene' && method === 'CC').mean = null;
  await withPage({ version: 1, results: data }, {}, async (page) => {
    for (const direction of ['descending', 'ascending']) {
      await page.getByRole('button', { name: 'scene', exact: true }).click();
      assert.equal(await sortOf(page, 'scene'), direction);
      assert.deepEqual((await column(page, kResults, 4)).slice(1), ['–', '–']);
    }
    assert.deepEqual((await column(page, kResults, 2)).filter((text) => text === '–').length, 1);
  });
});

test('pressing a header sorts the best first, and pressing it again the worst', async () => {
  await withPage(wholeDocument(), {}, async (page) => {
    const numbers = async () => (await column(page, kResults, 3)).map(Number.parseFloat);
    await page.getByLabel('average-precision', { exact: true }).first().check({ force: true });
    const header = page.locator(kResults).getByRole('button', { name: 'emotions', exact: true });
    await header.click();
    assert.equal(await sortOf(page, 'emotions'), 'descending');
    const down = await numbers();
    assert.deepEqual(down, [...down].sort((a, b) => b - a));
    await header.click();
    assert.equal(await sortOf(page, 'emotions'), 'ascending');
    assert.deepEqual(await numbers(), [...down].reverse());
    assert.equal(await sortOf(page, 'Mean rank'), 'none');
  });
});

test('smaller comes first where smaller is better', async () => {
  await withPage(wholeDocument(), {}, async (page) => {
    await page.locator('#results').getByLabel('hamming-loss').check({ force: true });
    await page.locator(kResults).getByRole('button', { name: 'scene', exact: true }).click();
    assert.equal(await sortOf(page, 'scene'), 'ascending');
    assert.match(await page.locator('#results [role=status]').textContent(), /hamming-loss, smaller is better, convention sklearn/);
  });
});

test('one choice of metric holds for the table, the ranks and the pairs', async () => {
  await withPage(wholeDocument(), {}, async (page) => {
    await page.locator('#ranks').getByLabel('coverage').check({ force: true });
    assert.equal(await page.locator('#results').getByLabel('coverage', { exact: true }).isChecked(), true);
    assert.equal(await page.locator(kResults).getAttribute('aria-label'), 'Results: coverage');
    assert.equal(await page.locator('#pairs table').getAttribute('aria-label'), 'Pairs: coverage');
    assert.equal(await page.locator('#ranks figcaption').textContent(), 'Mean ranks: coverage');
  });
});

test('methods are filtered by text and sets by their boxes', async () => {
  await withPage(wholeDocument(), {}, async (page) => {
    await page.getByLabel('Methods').fill('llsf');
    assert.deepEqual((await column(page, kResults, 1)).sort(), ['LLSF', 'LLSF-DL']);
    await page.getByLabel('Methods').fill('no such');
    assert.match(await page.locator(`${kResults} tbody`).textContent(), /No method/);
    await page.getByLabel('Methods').fill('');
    await page.locator('.sets summary').click();
    await page.locator('.sets').getByLabel('yeast').uncheck();
    const titles = await page.locator(`${kResults} thead th`).allTextContents();
    assert.deepEqual(titles, ['Method', 'Mean rank', 'emotions', 'scene', 'birds', 'enron', 'medical']);
    assert.match(await page.locator('.sets summary').textContent(), /5 of 6/);
  });
});

test('the best is bold, the second underlined, marks are explained and published figures stand beside', async () => {
  await withPage(wholeDocument(), {}, async (page) => {
    assert.equal(await page.locator(`${kResults} td .best`).count(), 6);
    assert.equal(await page.locator(`${kResults} td .second`).count(), 6);
    assert.ok(await page.locator(`${kResults} td .mark`).count() > 0);
    assert.match(await page.locator('#results .legend').textContent(), /significantly worse than MGD/);
    assert.equal(await page.locator(`${kResults} .published`).count(), 12);
    await page.getByLabel('published figures').uncheck();
    assert.equal(await page.locator(`${kResults} .published`).count(), 0);
  });
});

test('a cell tells its repeats and options to the pointer and to the focus', async () => {
  const document = wholeDocument();
  const { repeats } = document.results.cells.find(({ set, method, metric }) => set === 'emotions' && method === 'MGD' && metric === 'average-precision');
  await withPage(document, {}, async (page) => {
    const row = page.locator(`${kResults} tbody tr`, { has: page.getByRole('rowheader', { name: 'MGD', exact: true }) });
    const tooltip = page.locator('#tooltip');
    await row.locator('td').nth(1).hover();
    const text = await tooltip.innerText();
    for (const value of repeats) assert.ok(text.includes(value.toFixed(4)), text);
    assert.match(text, /rho\s+sigma\s+threshold/);
    await page.mouse.move(2, 2);
    assert.equal(await tooltip.isVisible(), false);
    await row.locator('td').nth(1).focus();
    assert.equal(await tooltip.innerText(), text);
    assert.equal(await row.locator('td').nth(1).getAttribute('aria-describedby'), 'tooltip');
    await page.keyboard.press('Escape');
    assert.equal(await tooltip.isVisible(), false);
  });
});

test('charts have tooltips', async () => {
  await withPage({ version: 1, results: results({ sets: 1, methods: 2, metrics: 1 }) }, {}, async (page) => {
    await chartsDrawn(page);
    await page.locator('#timings .mark-rect path').first().hover();
    assert.match(await page.locator('#tooltip').innerText(), /method\s+MGD\s+time\s+20 ms/);
  });
});

test('the keyboard alone skips to the content, sorts, and walks through the cells', async () => {
  await withPage(wholeDocument(), {}, async (page) => {
    const focused = () => page.evaluate(() => document.activeElement.textContent);
    const tabTo = async (text) => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press('Tab');
        if (await focused() === text) return;
      }
      assert.fail(`the tab key does not reach ${text}`);
    };
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'Skip to the content');
    assert.ok((await page.locator('.skip').boundingBox()).x >= 0);
    await page.keyboard.press('Enter');
    await tabTo('scene');
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.equal(outline, 'solid');
    await page.keyboard.press('Enter');
    assert.equal(await sortOf(page, 'scene'), 'descending');
    assert.equal(await focused(), 'scene');
    const best = (await column(page, kResults, 1))[0];
    await tabTo(best);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    const second = (await column(page, kResults, 3))[1];
    await page.keyboard.press('ArrowRight');
    assert.equal(await focused(), second);
    assert.equal(await page.locator('#tooltip').isVisible(), true);
  });
});

test('the theme switch changes page and charts, and auto follows the system', async () => {
  await withPage(wholeDocument({ sets: 1, methods: 2, metrics: 1 }), { colorScheme: 'dark' }, async (page) => {
    const look = async () => {
      await chartsDrawn(page);
      return page.evaluate(() => [getComputedStyle(document.body).backgroundColor, document.querySelector('#timings svg .role-axis-label text').getAttribute('fill')]);
    };
    const dark = await look();
    await page.getByLabel('Light', { exact: true }).check({ force: true });
    const light = await look();
    assert.notEqual(light[0], dark[0]);
    assert.notEqual(light[1], dark[1]);
    await page.getByLabel('Auto', { exact: true }).check({ force: true });
    assert.deepEqual(await look(), dark);
    await page.emulateMedia({ colorScheme: 'light' });
    assert.deepEqual(await look(), light);
    await page.getByLabel('Dark', { exact: true }).check({ force: true });
    await page.reload();
    assert.equal(await page.getByLabel('Dark', { exact: true }).isChecked(), true);
    assert.deepEqual(await look(), dark);
  });
});

test('every chart is saved as an SVG that parses and as a PNG', async () => {
  await withPage(wholeDocument({ methods: 3 }), {}, async (page) => {
    await chartsDrawn(page);
    const names = new Set();
    for (const figure of await page.locator('figure').all()) {
      const svg = await download(page, figure.getByRole('button', { name: 'Save as SVG' }));
      names.add(svg.name);
      const root = await page.evaluate((text) => {
        const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
        return { name: parsed.documentElement.localName, errors: parsed.querySelectorAll('parsererror').length, marks: parsed.querySelectorAll('path').length };
      }, svg.bytes.toString('utf8'));
      assert.deepEqual([root.name, root.errors], ['svg', 0]);
      assert.ok(root.marks > 3, svg.name);
      const png = await download(page, figure.getByRole('button', { name: 'Save as PNG' }));
      assert.equal(png.name, svg.name.replace('.svg', '.png'));
      assert.deepEqual([...png.bytes.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
      assert.ok(png.bytes.readUInt32BE(16) > 600, 'wide enough for print');
    }
    assert.equal(names.size, 8);
    assert.ok(names.has('ranks-average-precision.svg'));
  });
});

test('the diagram of ranks names all methods and draws a bar for each group', async () => {
  const document = wholeDocument();
  const [{ nemenyi, methods }] = document.results.statistics;
  await withPage(document, {}, async (page) => {
    await chartsDrawn(page);
    const texts = await page.locator('#ranks svg text').allTextContents();
    for (const { name, mean_rank: rank } of methods) {
      assert.ok(texts.some((text) => text.split(/\s+/).join(' ') === `${name} ${rank.toFixed(2)}` || text.split(/\s+/).join(' ') === `${rank.toFixed(2)} ${name}`), name);
    }
    assert.equal(await page.locator('#ranks svg [stroke-width="4.5"]').count(), nemenyi.groups.length);
    assert.match(await page.locator('#ranks').textContent(), /Friedman over 6 sets and 13 methods: χ² = 41\.20, p < 0\.001/);
  });
});

test('pairs of one method are seen from its side', async () => {
  const document = wholeDocument();
  const pair = document.results.statistics[0].pairs.find(({ a, b }) => a === 'MGD' && b === 'CAMEL');
  await withPage(document, {}, async (page) => {
    assert.equal(await page.locator('#pairs tbody tr').count(), 78);
    await page.locator('#pairs select').selectOption('CAMEL');
    assert.equal(await page.locator('#pairs tbody tr').count(), 12);
    const row = page.locator('#pairs tbody tr', { hasText: 'MGD' });
    assert.deepEqual((await row.locator('th, td').allTextContents()).slice(0, 5), ['CAMEL', 'MGD', String(pair.losses), '0', String(pair.wins)]);
  });
});

test('curves change with the set and the scale', async () => {
  await withPage(wholeDocument(), {}, async (page) => {
    await chartsDrawn(page);
    const path = () => page.locator('#convergence figure').first().locator('.mark-line path').first().getAttribute('d');
    const log = await path();
    await page.locator('#convergence').getByRole('group', { name: 'Loss' }).getByLabel('Linear').check({ force: true });
    await chartsDrawn(page);
    assert.notEqual(await path(), log);
    await page.locator('#convergence').getByLabel('yeast').check({ force: true });
    assert.equal(await page.locator('#convergence figcaption').first().textContent(), 'Total loss, yeast');
    const area = await page.locator('#convergence figure').first().locator('svg').boundingBox();
    await page.mouse.move(area.x + area.width / 2, area.y + area.height / 2);
    await page.mouse.move(area.x + area.width / 2 + 3, area.y + area.height / 2);
    await page.locator('#tooltip').waitFor({ state: 'visible' });
    assert.match(await page.locator('#tooltip').innerText(), /iteration\s+\d+\s+MGD\s+[\d.]+\s+sigma 0, each label "alone"\s+[\d.]+\s+a \[1\]\.b\s+[\d.]+/);
  });
});

test('the heat map marks the best cell, also where smaller is better', async () => {
  await withPage(wholeDocument(), {}, async (page) => {
    for (const set of ['emotions, average-precision', 'scene, hamming-loss']) {
      await page.locator('#sensitivity').getByLabel('Set').selectOption(set);
      await chartsDrawn(page);
      assert.match(await page.locator('#sensitivity .note').textContent(), /at rho 0\.01, sigma 0\.1\./);
      assert.equal(await page.locator('#sensitivity figure').first().locator('svg text', { hasText: '★' }).count(), 1);
    }
  });
});

test('a label chosen in the graph shows its links alone, and at most 60 labels are drawn', async () => {
  await withPage({ version: 1, relations: relations(90) }, {}, async (page) => {
    await chartsDrawn(page);
    assert.match(await page.locator('#relations .note').first().textContent(), /the 60 strongest of 90 labels/);
    const lines = () => page.locator('#relations .mark-line path').evaluateAll((paths) => paths.filter((line) => Number(line.getAttribute('stroke-opacity')) > 0.4).length);
    const all = await lines();
    await page.locator('#relations select').selectOption({ index: 1 });
    await chartsDrawn(page);
    const some = await lines();
    assert.ok(some > 0 && some < all, `${some} of ${all}`);
    const chosen = await page.locator('#relations select').evaluate((select) => select.selectedOptions[0].textContent);
    for (const row of await page.locator('#relations tbody tr').allTextContents()) assert.ok(row.includes(chosen), row);
  });
});

test('names that look like markup are shown as text', async () => {
  const hostile = ['</script><script>alert(1)</script>', '<img src=x onerror=alert(2)>', '<!--<script>', `"'><b>&amp;`, '$& \\ ${1} a.b[0]'];
  const document = wholeDocument({ sets: 5, methods: 5, metrics: 2, labels: 12 });
  const text = JSON.stringify(document);
  const known = [['emotions', 'MGD', 'amazed-0'], ['scene', 'BR', 'happy-1'], ['yeast', 'CC', 'relaxing-2'], ['birds', 'ECC', 'quiet-3'], ['enron', 'LP', 'sad-4']];
  const renamed = JSON.parse(text, (_, value) => {
    const at = known.findIndex((names) => names.includes(value));
    return at < 0 ? value : hostile[at];
  });
  renamed.title = hostile[0];
  renamed.convergence.forEach(({ curves }) => { curves[0].name = hostile[4]; });
  await withPage(renamed, {}, async (page) => {
    await chartsDrawn(page);
    assert.equal(await page.locator('h1').textContent(), hostile[0]);
    assert.deepEqual((await column(page, kResults, 1)).sort(), [...hostile].sort());
    await page.locator(`${kResults} td`).nth(2).hover();
    for (const tag of ['img', 'main script', 'header script', 'section b']) assert.equal(await page.locator(tag).count(), 0, tag);
    const drawn = await page.locator('#timings svg text').allTextContents();
    assert.ok(hostile.some((name) => drawn.includes(name)));
  });
});

test('a document that cannot be shown gives one message', async () => {
  const cases = [
    ['{}', /has no version/],
    [embed({ version: 2, title: 'later' }), /is of version 2, and this page shows version 1/],
    ['{"version": 1, "results"', /It is not JSON/],
    ['[]', /is not an object/],
    [embed({ version: 1, results: { ...results({ sets: 1, methods: 1, metrics: 1 }), cells: 'none' } }), /results\.cells is not a list/],
    [embed({ version: 1, relations: { labels: [{ name: 'a' }], links: [{ label: 0, from: 7, share: 0.5 }] } }), /relations\.links\[0\]/],
  ];
  for (const [text, expected] of cases) {
    const { page, problems, close } = await browser.openText(text);
    assert.equal(await page.getByRole('alert').count(), 1);
    assert.match(await page.getByRole('alert').textContent(), expected);
    assert.equal(await page.locator('section').count(), 0);
    assert.deepEqual(problems, []);
    await close();
  }
});

for (const [device, width] of [['desktop', 1280], ['phone', 375]]) {
  for (const colorScheme of ['light', 'dark']) {
    test(`nothing is wider than the window of a ${device}, ${colorScheme}`, async () => {
      const options = { width, height: device === 'phone' ? 740 : 900, colorScheme };
      await withPage(wholeDocument(), options, async (page) => {
        await chartsDrawn(page);
        assert.equal(await bodyOverflow(page), 0);
        await screenshot(page, `whole-${device}-${colorScheme}`);
        await page.locator('.sets summary').click();
        await page.locator(`${kResults} td`).nth(3).hover();
        assert.equal(await bodyOverflow(page), 0);
      });
      await withPage({ version: 1, title: 'One method on one set', results: results({ sets: 1, methods: 1, metrics: 1 }), relations: relations(60) }, options, async (page) => {
        await chartsDrawn(page);
        assert.equal(await bodyOverflow(page), 0);
        await screenshot(page, `small-${device}-${colorScheme}`);
      });
    });
  }
}

test('the first column stays in sight when a wide table is scrolled on a phone', async () => {
  await withPage(wholeDocument(), { width: 375, height: 740 }, async (page) => {
    const box = page.locator('#results .scroll');
    const header = page.locator(`${kResults} tbody th`).first();
    const at = (await header.boundingBox()).x;
    await box.evaluate((element) => { element.scrollLeft = 300; });
    assert.equal(await box.evaluate((element) => element.scrollLeft), 300);
    assert.equal(Math.round((await header.boundingBox()).x), Math.round(at));
  });
});
