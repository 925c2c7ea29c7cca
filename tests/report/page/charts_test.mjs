// SPDX-License-Identifier: MIT
// Charts: what they draw, how they answer, and how they are saved.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { chartsDrawn, download, useBrowser } from './browser.mjs';
import { relations, results, wholeDocument } from './sample.mjs';

const { withPage } = useBrowser();

test('charts have tooltips', async () => {
  await withPage({ version: 2, results: results({ sets: 1, methods: 2, metrics: 1 }) }, {}, async (page) => {
    await chartsDrawn(page);
    await page.locator('#timings .mark-rect path').first().hover();
    assert.match(await page.locator('#tooltip').innerText(), /method\s+MGD\s+time\s+20 ms/);
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
        return {
          name: parsed.documentElement.localName,
          errors: parsed.querySelectorAll('parsererror').length,
          marks: parsed.querySelectorAll('path').length,
        };
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
      assert.ok(
        texts.some(
          (text) =>
            text.split(/\s+/).join(' ') === `${name} ${rank.toFixed(2)}` ||
            text.split(/\s+/).join(' ') === `${rank.toFixed(2)} ${name}`,
        ),
        name,
      );
    }
    assert.equal(await page.locator('#ranks svg [stroke-width="4.5"]').count(), nemenyi.groups.length);
    assert.match(
      await page.locator('#ranks').textContent(),
      /Friedman over 6 sets and 13 methods: χ² = 41\.20, p\s<\s0\.001/,
    );
  });
});

test('curves change with the set and the scale', async () => {
  await withPage(wholeDocument(), {}, async (page) => {
    await chartsDrawn(page);
    const path = () =>
      page.locator('#convergence figure').first().locator('.mark-line path').first().getAttribute('d');
    const log = await path();
    await page
      .locator('#convergence')
      .getByRole('group', { name: 'Loss' })
      .getByLabel('Linear')
      .check({ force: true });
    await chartsDrawn(page);
    assert.notEqual(await path(), log);
    await page.locator('#convergence').getByLabel('yeast').check({ force: true });
    assert.equal(await page.locator('#convergence figcaption').first().textContent(), 'Total loss, yeast');
    const area = await page.locator('#convergence figure').first().locator('svg').boundingBox();
    await page.mouse.move(area.x + area.width / 2, area.y + area.height / 2);
    await page.mouse.move(area.x + area.width / 2 + 3, area.y + area.height / 2);
    await page.locator('#tooltip').waitFor({ state: 'visible' });
    assert.match(
      await page.locator('#tooltip').innerText(),
      /iteration\s+\d+\s+MGD\s+[\d.]+\s+sigma 0, each label "alone"\s+[\d.]+\s+a \[1\]\.b\s+[\d.]+/,
    );
  });
});

test('the heat map marks the best cell, also where smaller is better', async () => {
  await withPage(wholeDocument(), {}, async (page) => {
    for (const set of ['emotions, average-precision', 'scene, hamming-loss']) {
      await page.locator('#sensitivity').getByLabel('Set').selectOption(set);
      await chartsDrawn(page);
      assert.match(await page.locator('#sensitivity .note').textContent(), /at rho 0\.01, sigma 0\.1\./);
      assert.equal(
        await page.locator('#sensitivity figure').first().locator('svg text', { hasText: '★' }).count(),
        1,
      );
    }
  });
});

test('a label chosen in the graph shows its links alone, and at most 60 labels are drawn', async () => {
  await withPage({ version: 2, relations: relations(90) }, {}, async (page) => {
    await chartsDrawn(page);
    assert.match(
      await page.locator('#relations .note').first().textContent(),
      /the 60 strongest of 90 labels/,
    );
    const lines = () =>
      page
        .locator('#relations .mark-line path')
        .evaluateAll(
          (paths) => paths.filter((line) => Number(line.getAttribute('stroke-opacity')) > 0.4).length,
        );
    const all = await lines();
    await page.locator('#relations .mark-symbol path').first().hover();
    await page.waitForFunction(
      (before) =>
        [...document.querySelectorAll('#relations .mark-line path')].filter(
          (line) => Number(line.getAttribute('stroke-opacity')) > 0.4,
        ).length < before,
      all,
    );
    assert.match(await page.locator('#tooltip').innerText(), /label\s+\w+-\d+\s+positives\s+\d+/);
    await page.mouse.move(2, 2);
    await page.locator('#relations select').selectOption({ index: 1 });
    await chartsDrawn(page);
    const some = await lines();
    assert.ok(some > 0 && some < all, `${some} of ${all}`);
    const chosen = await page
      .locator('#relations select')
      .evaluate((select) => select.selectedOptions[0].textContent);
    for (const row of await page.locator('#relations tbody tr').allTextContents())
      assert.ok(row.includes(chosen), row);
  });
});
