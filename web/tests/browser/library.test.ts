// Collections of games: in the explorer of the analysis board, and as a page.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { box, expectInside, meets } from './boxes';
import { expectBoard } from './hands';
import { useRiga } from './riga';

const PGN = `[Event "Candidates"]
[White "Tal, Mikhail"]
[Black "Smyslov, Vassily"]
[WhiteElo "2650"]
[BlackElo "2690"]
[Date "1959.10.??"]
[Result "1-0"]

1. e4 c6 2. d4 d5 1-0

[White "Smyslov, Vassily"]
[Black "Tal, Mikhail"]
[Date "1964.01.02"]
[Result "1/2-1/2"]

1. e4 e5 2. Nf3 1/2-1/2

[White "Anon"]
[Black "Tal, Mikhail"]
[Result "0-1"]

1. d4 Nf6 0-1

[White "Anon"]
[Black "Talbot"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/r6P/R3K3 w - - 0 1"]
[Result "0-1"]

1. Rb1 Rxh2 2. Kf1 0-1

[White "Anon"]
[Black "Petrov"]
[Result "0-1"]

1. c4 e5 2. g3 0-1

[White "Anon"]
[Black "Petrov"]
[Result "1/2-1/2"]

1. c4 e5 2. Nc3 1/2-1/2
`;

const folder = mkdtempSync(join(tmpdir(), 'riga-library-'));
writeFileSync(join(folder, 'games.pgn'), PGN);
execFileSync(process.env['RIGA'] ?? '../target/debug/riga', ['library', 'add', join(folder, 'masters'), join(folder, 'games.pgn')]);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const riga = useRiga(() => ['--library', folder]);

test('the explorer counts the games of a collection that meet a filter', async () => {
  const page = await riga.open('/analysis');
  const explorer = page.getByRole('region', { name: 'Openings' });
  await explorer.getByRole('combobox', { name: 'Source' }).selectOption({ label: 'masters' });
  const row = (move: string) => explorer.getByRole('row').filter({ hasText: move });
  await row('e4').waitFor();
  expect(await row('e4').getByRole('cell').allInnerTexts()).toEqual(['e4', '2', expect.anything(), '2670', '1964']);
  expect(await row('d4').getByRole('cell').last().innerText()).toBe('');

  await explorer.getByRole('button', { name: 'Filter' }).click();
  await explorer.getByLabel('Result').selectOption('1-0');
  await row('d4').waitFor({ state: 'detached' });
  expect(await row('e4').getByRole('cell').nth(1).innerText()).toBe('1');

  await row('e4').getByRole('button').click();
  await row('c6').waitFor();
  await explorer.getByRole('link', { name: 'Show the game' }).click();
  await page.getByRole('heading', { name: /masters/ }).waitFor();
  const games = page.getByRole('main').getByRole('listitem');
  await games.first().waitFor();
  expect(await games.allInnerTexts()).toEqual([expect.stringContaining('Tal, Mikhail (2650)')]);
});

test('a game of a collection opens on the analysis board', async () => {
  const page = await riga.open('/library/masters');
  await page.getByText('6 games').waitFor();
  await page.getByLabel('Player', { exact: true }).fill('Smyslov, Vassily');
  await page.getByRole('combobox', { name: /^As/ }).selectOption('white');
  await page.getByRole('heading', { name: 'Smyslov, Vassily' }).waitFor();
  const games = page.getByRole('main').getByRole('listitem');
  await expect.poll(() => games.count()).toBe(1);
  await games.first().getByRole('link').click();
  await page.getByRole('group', { name: 'Moves' }).getByRole('button', { name: 'Nf3' }).click();
  await expectBoard(page, 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R');
});

test('the explorer adds own games and collections', async () => {
  const page = await riga.open('/analysis');
  const own = '[White "me"]\n[WhiteElo "1000"]\n[Date "2020.02.03"]\n[Result "1-0"]\n\n1. e4 h5 1-0\n';
  const sent = await page.request.post('/api/games/import', { data: own, headers: { 'content-type': 'application/vnd.chess-pgn' } });
  expect(sent.ok()).toBe(true);
  const explorer = page.getByRole('region', { name: 'Openings' });
  await explorer.getByRole('combobox', { name: 'Source' }).selectOption({ label: 'Everything' });
  const row = explorer.getByRole('row').filter({ hasText: 'e4' });
  await row.waitFor();
  await expect.poll(() => row.getByRole('cell').allInnerTexts()).toEqual(['e4', '3', expect.anything(), '2113', '2020']);
  expect(await explorer.getByRole('button', { name: 'Filter' }).count()).toBe(0);
  await explorer.getByRole('link', { name: 'masters' }).click();
  await page.getByRole('heading', { name: /masters/ }).waitFor();
});

test('an endgame is found by its material and opens where it began', async () => {
  const page = await riga.open('/library/masters');
  const games = page.getByRole('main').getByRole('listitem');
  await expect.poll(() => games.count()).toBe(6);
  await page.getByLabel('Material (KRPvKR)').fill('rvr');
  await expect.poll(() => games.count()).toBe(1);
  expect(new URL(page.url()).searchParams.get('material')).toBe('KRvKR');
  await games.first().getByRole('link').click();
  await expectBoard(page, '4k3/8/8/8/8/8/7r/1R2K3');
});

test('a player has a tree of moves', async () => {
  const page = await riga.open('/library/masters?player=Petrov');
  const card = page.getByRole('region', { name: 'Petrov' });
  await card.getByText('Moves with Black').click();
  const moves = card.getByRole('listitem');
  await expect.poll(() => moves.count()).toBe(2);
  expect(await moves.last().innerText()).toMatch(/1…\s*e5\s*2 games, 75%/);
  expect(await card.getByText('Moves with White').count()).toBe(0);
});

test('a collection that does not exist is told', async () => {
  riga.expectFault(/404.*\/api\/library\/none/);
  const page = await riga.open('/library/none');
  await page.locator('p[role=alert]').waitFor();
});

test('a wrong value is told beside its field, and no games are shown as an answer', async () => {
  const page = await riga.open('/library/masters');
  const games = page.getByRole('main').getByRole('listitem');
  await expect.poll(() => games.count()).toBe(6);
  const material = page.getByLabel('Material (KRPvKR)');
  await material.fill('rubbish');
  await page.getByText('Write material as in KRPvKR').waitFor();
  expect(await games.count()).toBe(0);
  expect(await page.getByText('No matching games').count()).toBe(0);
  expect(await material.getAttribute('aria-invalid')).toBe('true');
  await material.fill('');
  await expect.poll(() => games.count()).toBe(6);
  await page.getByLabel('From (year)').fill('59');
  await page.getByText('Four digits').waitFor();
  await expect.poll(() => games.count()).toBe(0);
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect.poll(() => games.count()).toBe(6);
  expect(await page.locator('p[role=alert]').count()).toBe(0);
});

test('wrong values in the address are told', async () => {
  const page = await riga.open('/library/masters?min_rating=abc&order=xx&page=-4&result=9');
  await page.getByText('Digits only').waitFor();
  await page.getByText('left out: result=9, order=xx, page=-4').waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('');
  expect(await page.getByRole('main').getByRole('listitem').count()).toBe(0);
  await page.goto('/library/masters?material=rubbish');
  await page.getByText('Write material as in KRPvKR').waitFor();
});

test('the title tells how many games match', async () => {
  const page = await riga.open('/library/masters?opponent=Petrov&player=Anon');
  await page.getByText('2 of 6 games').waitFor();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await page.getByText('6 games', { exact: true }).waitFor();
});

/** The analysis board with the moves of the collection. */
async function explore(viewport: { width: number; height: number }): Promise<Page> {
  const page = await riga.open('/analysis', { viewport });
  await page.locator('cg-board piece').first().waitFor();
  // On a phone the explorer is a sheet, and on a low screen it is folded.
  if (viewport.width < 900) await page.getByRole('toolbar').getByRole('button', { name: 'Openings' }).click();
  const fold = page.locator('.explorer .fold');
  if ((await fold.getAttribute('aria-expanded')) === 'false') await fold.click();
  await page.getByRole('combobox', { name: 'Source' }).selectOption({ label: 'masters' });
  await page.locator('.nextmoves').getByRole('button', { name: 'e4' }).waitFor();
  return page;
}

describe.each([
  { width: 1366, height: 657 },
  { width: 1920, height: 1080 },
])('the explorer at $width x $height', (viewport) => {
  test('leaves the toolbar in the panel', async () => {
    const page = await explore(viewport);
    await page.locator('.nextmoves').getByRole('button', { name: 'e4' }).click();
    await page.locator('.nextmoves').getByRole('button', { name: 'e5' }).waitFor();
    await page.locator('.panel > .graph').waitFor();
    const [tools, panel] = [await box(page, '.steps'), await box(page, '.panel')];
    expectInside(tools, panel, 'toolbar');
    expect(meets(tools, await box(page, '.player.below'))).toBe(false);
    const body = await box(page, '.explorer .body');
    expectInside(body, { ...panel, height: tools.y - panel.y }, 'moves');
    expect(body.height).toBeGreaterThanOrEqual(70);
    expect((await box(page, '.tree')).height).toBeGreaterThanOrEqual(75);
  });

  test('shows a hovered move beside its list, and not after it is played', async () => {
    const page = await explore(viewport);
    const rows = page.locator('.nextmoves tbody tr');
    const preview = page.locator('.preview');
    for (const index of [0, 1]) {
      await rows.nth(index).hover();
      await preview.waitFor();
      const where = await box(page, '.preview');
      expectInside(where, { x: 0, y: 0, ...viewport }, 'preview');
      expect.soft(meets(where, await box(page, 'section.explorer'))).toBe(false);
      expect.soft(meets(where, await box(page, '.steps'))).toBe(false);
    }
    await rows.filter({ hasText: 'e4' }).getByRole('button').click();
    await rows.filter({ hasText: 'e5' }).waitFor();
    // The mouse rests on what is now a move of Black.
    await page.waitForTimeout(500);
    expect(await preview.count()).toBe(0);
    await rows.last().hover();
    await page.mouse.move(5, 5);
    await rows.first().hover();
    await preview.waitFor();
  });
});

test.each([
  { width: 390, height: 844 },
  { width: 1366, height: 657 },
])('filter and moves of the explorer are both in sight at $width x $height', async (viewport) => {
  const page = await explore(viewport);
  const explorer = page.getByRole('region', { name: 'Openings' });
  await explorer.getByRole('button', { name: 'Filter' }).click();
  await explorer.getByLabel('Result').waitFor();
  const hidden = () =>
    explorer.locator(':is(.filters :is(input, select), .head button, tbody button)').evaluateAll((all) =>
      all
        .filter((one) => {
          const { left, right, top, bottom } = one.getBoundingClientRect();
          const at = (y: number) => document.elementFromPoint((left + right) / 2, y);
          return ![top + 2, bottom - 2].every((y) => one.contains(at(y)));
        })
        .map((one) => one.closest('label, button')?.textContent),
    );
  await expect.poll(hidden).toEqual([]);
  await explorer.getByLabel('Result').selectOption('1-0');
  await explorer.getByRole('row').filter({ hasText: 'd4' }).waitFor({ state: 'detached' });
  expect(await hidden()).toEqual([]);
});
