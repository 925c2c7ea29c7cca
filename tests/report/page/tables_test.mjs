// SPDX-License-Identifier: MIT
// Tables: what they show, sorting, filters, tooltips.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { column, kResults, sortOf, useBrowser } from './browser.mjs';
import { results, wholeDocument } from './sample.mjs';

const { withPage } = useBrowser();

test('values that are missing leave a dash, come last, and have no mean rank', async () => {
  const data = results({ sets: 2, methods: 3, metrics: 1 });
  data.cells = data.cells.filter(({ set, method }) => !(set === 'scene' && method === 'BR'));
  data.cells.find(({ set, method }) => set === 'scene' && method === 'CC').mean = null;
  await withPage({ version: 2, results: data }, {}, async (page) => {
    for (const direction of ['descending', 'ascending']) {
      await page.getByRole('button', { name: 'scene', exact: true }).click();
      assert.equal(await sortOf(page, 'scene'), direction);
      assert.deepEqual((await column(page, kResults, 4)).slice(1), ['–', '–']);
    }
    assert.deepEqual((await column(page, kResults, 2)).filter((text) => text === '–').length, 1);
  });
});

test('what failed is counted in its cell and listed with its reason', async () => {
  const data = results({ sets: 2, methods: 3, metrics: 1 });
  data.cells.find(({ set, method }) => set === 'scene' && method === 'BR').repeats.splice(1, 2);
  data.failures = [
    { set: 'scene', method: 'BR', repeat: 2, reason: 'no room' },
    { set: 'scene', method: 'BR', repeat: 3, reason: 'no time' },
  ];
  await withPage({ version: 2, results: data }, {}, async (page) => {
    const shown = (await column(page, kResults, 4)).filter((text) => text.includes('(3 of 5)'));
    assert.equal(shown.length, 1);
    const failures = page.locator('#results .failures');
    assert.equal(await failures.locator('li').first().isVisible(), false);
    await failures.getByText('2 runs failed').click();
    assert.deepEqual(await failures.locator('li').allTextContents(), [
      'BR on scene, repeat 2: no room',
      'BR on scene, repeat 3: no time',
    ]);
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
    assert.deepEqual(
      down,
      [...down].sort((a, b) => b - a),
    );
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
    assert.match(
      await page.locator('#results [role=status]').textContent(),
      /hamming-loss, smaller is better, convention sklearn/,
    );
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
    assert.ok((await page.locator(`${kResults} td .mark`).count()) > 0);
    assert.match(await page.locator('#results .legend').textContent(), /significantly worse than MGD/);
    assert.equal(await page.locator(`${kResults} .published`).count(), 12);
    await page.getByLabel('published figures').uncheck();
    assert.equal(await page.locator(`${kResults} .published`).count(), 0);
  });
});

test('a cell tells its repeats and options to the pointer and to the focus', async () => {
  const document = wholeDocument();
  const { repeats } = document.results.cells.find(
    ({ set, method, metric }) => set === 'emotions' && method === 'MGD' && metric === 'average-precision',
  );
  await withPage(document, {}, async (page) => {
    const row = page.locator(`${kResults} tbody tr`, {
      has: page.getByRole('rowheader', { name: 'MGD', exact: true }),
    });
    const tooltip = page.locator('#tooltip');
    await row.locator('td').nth(1).hover();
    const text = await tooltip.innerText();
    for (const { value } of repeats) assert.ok(text.includes(value.toFixed(4)), text);
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

test('pairs of one method are seen from its side', async () => {
  const document = wholeDocument();
  const pair = document.results.statistics[0].pairs.find(({ a, b }) => a === 'MGD' && b === 'CAMEL');
  await withPage(document, {}, async (page) => {
    assert.equal(await page.locator('#pairs tbody tr').count(), 78);
    await page.locator('#pairs select').selectOption('CAMEL');
    assert.equal(await page.locator('#pairs tbody tr').count(), 12);
    const row = page.locator('#pairs tbody tr', { hasText: 'MGD' });
    assert.deepEqual((await row.locator('th, td').allTextContents()).slice(0, 5), [
      'CAMEL',
      'MGD',
      String(pair.losses),
      '0',
      String(pair.wins),
    ]);
  });
});

test('the first column stays in sight when a wide table is scrolled on a phone', async () => {
  await withPage(wholeDocument(), { width: 375, height: 740 }, async (page) => {
    const box = page.locator('#results .scroll');
    const header = page.locator(`${kResults} tbody th`).first();
    const at = (await header.boundingBox()).x;
    await box.evaluate((element) => {
      element.scrollLeft = 300;
    });
    assert.equal(await box.evaluate((element) => element.scrollLeft), 300);
    assert.equal(Math.round((await header.boundingBox()).x), Math.round(at));
  });
});

test('the tooltip stays with the cell that the arrow keys scroll to', async () => {
  await withPage(wholeDocument(), { width: 375, height: 740 }, async (page) => {
    await page.locator(`${kResults} tbody th`).first().focus();
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => document.querySelector('#results .scroll').scrollLeft > 300);
    // Two frames: scroll events come before the second.
    await page.evaluate(
      () =>
        new Promise((done) => {
          requestAnimationFrame(() => requestAnimationFrame(done));
        }),
    );
    assert.equal(await page.locator('#tooltip').isVisible(), true);
    assert.match(await page.locator('#tooltip').innerText(), /on birds/);
  });
});
