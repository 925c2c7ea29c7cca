// SPDX-License-Identifier: MIT
// The page as a whole: sections, themes, keyboard, widths, names and documents that are not what they should be.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { chartsDrawn, column, embed, kResults, sortOf, useBrowser } from './browser.mjs';
import { relations, results, wholeDocument } from './sample.mjs';

const { withPage, openText } = useBrowser();

const sectionIds = (page) =>
  page.locator('main > section').evaluateAll((sections) => sections.map(({ id }) => id));
const bodyOverflow = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function screenshot(page, name) {
  const folder = process.env.MUGRAD_SCREENSHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
}

test('a whole document shows every section without an error or a request', async () => {
  await withPage(wholeDocument(), {}, async (page) => {
    await chartsDrawn(page);
    assert.deepEqual(await sectionIds(page), [
      'results',
      'ranks',
      'pairs',
      'convergence',
      'sensitivity',
      'relations',
      'timings',
    ]);
    assert.equal(await page.locator('h1').textContent(), 'Thirteen methods on six public sets');
    assert.match(
      await page.locator('.facts').textContent(),
      /13 methods, 6 sets, 5 metrics · Mugrad 0\.1\.0 · 15 November 2026/,
    );
    assert.equal((await column(page, kResults, 1)).length, 13);
  });
});

test('one set and one method are shown without the sections that compare', async () => {
  await withPage({ version: 2, results: results({ sets: 1, methods: 1, metrics: 1 }) }, {}, async (page) => {
    await chartsDrawn(page);
    assert.deepEqual(await sectionIds(page), ['results', 'timings']);
    assert.deepEqual(await column(page, kResults, 1), ['MGD']);
  });
});

test('empty and absent sections are left out', async () => {
  const empty = { ...results({ sets: 2, methods: 2, metrics: 1 }), seconds: [], statistics: [], options: [] };
  await withPage(
    {
      version: 2,
      title: 'x',
      results: empty,
      convergence: [],
      sensitivity: [],
      relations: { labels: [], links: [] },
    },
    {},
    async (page) => {
      assert.deepEqual(await sectionIds(page), ['results']);
    },
  );
  await withPage({ version: 2, title: 'x', relations: relations(6) }, {}, async (page) => {
    await chartsDrawn(page);
    assert.deepEqual(await sectionIds(page), ['relations']);
  });
  await withPage({ version: 2, title: 'nothing' }, {}, async (page) => {
    assert.match(await page.locator('main').textContent(), /no results yet/);
  });
});

test('the keyboard alone skips to the content, sorts, and walks through the cells', async () => {
  await withPage(wholeDocument(), {}, async (page) => {
    const focused = () => page.evaluate(() => document.activeElement.textContent);
    const tabTo = async (text) => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press('Tab');
        if ((await focused()) === text) return;
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
  await withPage(
    wholeDocument({ sets: 1, methods: 2, metrics: 1 }),
    { colorScheme: 'dark' },
    async (page) => {
      const look = async () => {
        await chartsDrawn(page);
        return page.evaluate(() => [
          getComputedStyle(document.body).backgroundColor,
          document.querySelector('#timings svg .role-axis-label text').getAttribute('fill'),
        ]);
      };
      const dark = await look();
      await page.getByLabel('Light', { exact: true }).check({ force: true });
      const light = await look();
      assert.notEqual(light[0], dark[0]);
      assert.notEqual(light[1], dark[1]);
      await page.getByLabel('Auto', { exact: true }).check({ force: true });
      assert.deepEqual(await look(), dark);
      await page.emulateMedia({ colorScheme: 'light' });
      await page.waitForFunction(() => document.documentElement.dataset.theme === 'light');
      assert.deepEqual(await look(), light);
      await page.getByLabel('Dark', { exact: true }).check({ force: true });
      await page.reload();
      assert.equal(await page.getByLabel('Dark', { exact: true }).isChecked(), true);
      assert.deepEqual(await look(), dark);
    },
  );
});

test('names that look like markup are shown as text', async () => {
  const hostile = [
    '</script><script>alert(1)</script>',
    '<img src=x onerror=alert(2)>',
    '<!--<script>',
    `"'><b>&amp;`,
    '$& \\ ${1} a.b[0]',
  ];
  const document = wholeDocument({ sets: 5, methods: 5, metrics: 2, labels: 12 });
  const text = JSON.stringify(document);
  const known = [
    ['emotions', 'MGD', 'amazed-0'],
    ['scene', 'BR', 'happy-1'],
    ['yeast', 'CC', 'relaxing-2'],
    ['birds', 'ECC', 'quiet-3'],
    ['enron', 'LP', 'sad-4'],
  ];
  const renamed = JSON.parse(text, (_, value) => {
    const at = known.findIndex((names) => names.includes(value));
    return at < 0 ? value : hostile[at];
  });
  renamed.title = hostile[0];
  renamed.convergence.forEach(({ curves }) => {
    curves[0].name = hostile[4];
  });
  await withPage(renamed, {}, async (page) => {
    await chartsDrawn(page);
    assert.equal(await page.locator('h1').textContent(), hostile[0]);
    assert.deepEqual((await column(page, kResults, 1)).sort(), [...hostile].sort());
    await page.locator(`${kResults} td`).nth(2).hover();
    for (const tag of ['img', 'main script', 'header script', 'section b'])
      assert.equal(await page.locator(tag).count(), 0, tag);
    const drawn = await page.locator('#timings svg text').allTextContents();
    assert.ok(hostile.some((name) => drawn.includes(name)));
  });
});

test('names with line separators and control characters are shown as escapes, and charts are drawn', async () => {
  const name = (letter) => `${letter}\u2028b\u2028\u2029c\n\u001b[2J\u202ed`;
  const shown = (letter) => `${letter}\\u2028b\\u2028\\u2029c\\u000a\\u001b[2J\\u202ed`;
  const document = wholeDocument({ sets: 2, methods: 2, metrics: 2, labels: 12 });
  const known = ['emotions', 'MGD', 'amazed-0', 'sigma 0, each label "alone"'];
  const renamed = JSON.parse(JSON.stringify(document), (_, value) =>
    known.includes(value) ? name(value[0]) : value,
  );
  await withPage(renamed, {}, async (page) => {
    await chartsDrawn(page);
    assert.ok((await column(page, kResults, 1)).includes(shown('M')));
    for (const chart of ['#timings', '#convergence', '#relations', '#ranks'])
      assert.ok((await page.locator(`${chart} svg text`).count()) > 0, chart);
    assert.ok((await page.locator('#timings svg text').allTextContents()).includes(shown('e')));
  });
});

test('a document that cannot be shown gives one message', async () => {
  const cases = [
    ['{}', /has no version/],
    [embed({ version: 3, title: 'later' }), /is of version 3, and this page shows version 2/],
    ['{"version": 2, "results"', /It is not JSON/],
    ['[]', /is not an object/],
    [
      embed({ version: 2, results: { ...results({ sets: 1, methods: 1, metrics: 1 }), cells: 'none' } }),
      /results\.cells is not a list/,
    ],
    [
      embed({
        version: 2,
        relations: { labels: [{ name: 'a' }], links: [{ label: 0, from: 7, share: 0.5 }] },
      }),
      /relations\.links\[0\]/,
    ],
  ];
  for (const [text, expected] of cases) {
    const { page, problems, close } = await openText(text);
    assert.equal(await page.getByRole('alert').count(), 1);
    assert.match(await page.getByRole('alert').textContent(), expected);
    assert.equal(await page.locator('section').count(), 0);
    assert.deepEqual(problems, []);
    await close();
  }
});

for (const [device, width] of [
  ['desktop', 1280],
  ['phone', 375],
]) {
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
      await withPage(
        {
          version: 2,
          title: 'One method on one set',
          results: results({ sets: 1, methods: 1, metrics: 1 }),
          relations: relations(60),
        },
        options,
        async (page) => {
          await chartsDrawn(page);
          assert.equal(await bodyOverflow(page), 0);
          await screenshot(page, `small-${device}-${colorScheme}`);
        },
      );
    });
  }
}
