// Game reviews: in the browser and on the server, with explanations, questions and files.

import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { begin, click, expectBoard, expectResult, type } from './hands';
import { useRiga } from './riga';

const riga = useRiga();

/** Black overlooks a mate in one. */
const MATE = '1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0';
const AFTER_BLUNDER = 'r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR';
const MATED = 'r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR';
const BEFORE_BLUNDER = 'r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR';

let games = 0;

/** Imports a game and returns the name of the white player, by which it is found. */
async function imported(page: Page, moves = MATE, black = 'Bert'): Promise<string> {
  const name = `Anna ${++games}`;
  await page.goto('/games');
  const text = `[White "${name}"]\n[Black "${black}"]\n[Result "1-0"]\n\n${moves}\n`;
  await page.locator('input[type=file]').setInputFiles({ name: 'game.pgn', mimeType: 'application/vnd.chess-pgn', buffer: Buffer.from(text) });
  await page.getByRole('link', { name: new RegExp(`^${name} –`) }).waitFor();
  return name;
}

/** Reviews an imported game with one click, and returns the address of the review. */
async function reviewNow(page: Page): Promise<string> {
  const name = await imported(page);
  await page.getByRole('link', { name: `Review: ${name} – Bert` }).click();
  await page.waitForURL(/\/review\/.+/);
  await done(page);
  return new URL(page.url()).pathname;
}

let known: string | undefined;

/** Opens a review that the server has. It is made once for all tests that only read it. */
async function reviewed(page: Page): Promise<void> {
  if (known === undefined) {
    known = await reviewNow(page);
    await expect.poll(() => stored(page, known ?? '')).toBe('done');
  } else {
    await page.goto(known);
  }
  await done(page);
}

async function stored(page: Page, review: string): Promise<string> {
  const answer = await page.request.get(`/api/games/${review.replace('/review/', '')}/review`);
  return ((await answer.json()) as { state: string }).state;
}

const done = (page: Page, timeout = 40_000) => page.getByRole('tab', { name: 'Overview' }).waitFor({ timeout });
const card = (page: Page) => page.locator('.say');

/** Shows a move of the game by its number in the list. */
async function show(page: Page, ply: number): Promise<void> {
  await page.getByRole('tab', { name: 'Moves' }).click();
  await page.locator(`ol.moves [data-ply="${ply}"]`).click();
}

test('a game is reviewed one click from the list: labels, accuracy, explanation', async () => {
  const page = await riga.open();
  await reviewNow(page);
  await page.getByText('White won.').waitFor();
  await page.getByRole('rowheader', { name: 'Accuracy', exact: true }).waitFor();
  await page.getByRole('tab', { name: 'Moves' }).click();
  const labels = await page.locator('ol.moves [data-ply]').allInnerTexts();
  expect(labels).toHaveLength(7);
  expect(labels[5]).toMatch(/Nf6[^]*\?\?[^]*Blunder/);
  await show(page, 6);
  await expectBoard(page, AFTER_BLUNDER);
  expect(await card(page).innerText()).toMatch(/3… Nf6[^]*Blunder[^]*mate/i);
});

test('the arithmetic of the accuracy is shown with its numbers', async () => {
  const page = await riga.open();
  await reviewed(page);
  await page.getByText('How accuracy is computed').click();
  const sums = await page.getByText(/\(weighted mean .* \+ harmonic mean .*\) \/ 2 =/).allInnerTexts();
  expect(sums).toHaveLength(2);
  for (const sum of sums) {
    const [, weighted, harmonic, total] = /mean ([\d.]+) \+ harmonic mean ([\d.]+)\) \/ 2 = ([\d.]+)/.exec(sum)?.map(Number) ?? [];
    expect(Math.abs(((weighted ?? 0) + (harmonic ?? 0)) / 2 - (total ?? 0))).toBeLessThan(0.16);
  }
  expect(await page.locator('details table tbody tr').count()).toBe(7);
  await page.getByText('can be lower than every phase').waitFor();
});

test('a long name is cut off, and never broken within a word', async () => {
  const page = await riga.open('/review', { viewport: { width: 1024, height: 768 } });
  const [two, one] = ['Bartholomäus Oberhuber', 'Konstantinopolitanerinnengesellschaft'];
  await page.getByLabel('Game (PGN)').fill(`[White "${two}"]\n[Black "${one}"]\n\n1. e4 e5 1-0`);
  await page.getByRole('button', { name: 'Start review' }).click();
  await done(page);
  for (const [name, lines] of [[two, 2], [one, 1]] as const) {
    const found = await page.getByRole('columnheader', { name }).locator('.name').evaluate((node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return { lines: new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size, overflow: getComputedStyle(node).overflow };
    });
    expect(found).toEqual({ lines, overflow: 'hidden' });
  }
});

test('the line of a claim plays on the board, and the arrow keys step through it', async () => {
  const page = await riga.open();
  await reviewed(page);
  await show(page, 6);
  const bar = page.getByRole('meter', { name: 'Evaluation' });
  expect(await bar.getAttribute('aria-valuetext')).toBe('#1');
  await card(page).getByRole('button', { name: 'Qxf7#' }).click();
  await expectBoard(page, MATED);
  // The bar shows what the line leads to.
  expect(await bar.getAttribute('aria-valuetext')).toBe('#1');
  await page.keyboard.press('ArrowLeft');
  await expectBoard(page, AFTER_BLUNDER);
  await page.locator('cg-container svg.cg-shapes line').first().waitFor({ state: 'attached' });
  await card(page).getByRole('button', { name: 'Back to the game' }).click();
  await card(page).getByRole('button', { name: 'Play line' }).first().click();
  await expectBoard(page, MATED);
});

test('a key moment is a question: wrong moves are explained, good ones solve it', async () => {
  const page = await riga.open();
  await reviewed(page);
  await page.getByRole('button', { name: /^Find/ }).click();
  await page.getByText('Black played 3… Nf6. Find a better move.').waitFor();
  await expectBoard(page, BEFORE_BLUNDER);
  await click(page, 'd7', 'd6');
  await page.getByText(/d6 is not it: [\d.]+ points worse/).waitFor({ timeout: 20_000 });
  await expectBoard(page, BEFORE_BLUNDER);
  await card(page).getByRole('button', { name: 'Hint' }).click();
  await page.getByText(/Move the (pawn|queen)\./).waitFor();
  // Both of these hold everything.
  await click(page, 'g7', 'g6');
  await page.getByText(/g6 is (right|the best move)!/).waitFor({ timeout: 20_000 });
  await card(page).getByRole('button', { name: 'Next' }).click();
  await page.getByText(/^1 of \d solved$/).waitFor();
  await card(page).getByRole('button', { name: 'End' }).click();
  await card(page).getByText('3… Nf6').waitFor();
});

test('Enter asks the next key moment, Escape goes back, and N finds the next mistake', async () => {
  const page = await riga.open();
  await reviewed(page);
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.getByText('Find a better move.').waitFor();
  await card(page).getByRole('button', { name: 'Show solution' }).click();
  await page.getByText(/^The best move was 3… /).waitFor();
  await page.locator('#content').focus();
  await page.keyboard.press('Escape');
  await card(page).getByText('3… Nf6').waitFor();
  await page.keyboard.press('Home');
  await card(page).getByText('The start of the game').waitFor();
  await page.keyboard.press('n');
  await expect.poll(() => card(page).innerText()).toMatch(/Inaccuracy|Mistake|Miss|Blunder/);
});

test('a review is there again after a reload, without another search', async () => {
  const page = await riga.open();
  await reviewNow(page);
  await page.reload();
  await done(page);
  expect(await page.getByText('Reviewing in this browser').count()).toBe(0);
});

test('a game that was just played is reviewed from its end, for the player', async () => {
  const page = await riga.open();
  await begin(page);
  await type(page, 'f3', 'e5', 'g4', 'Qh4');
  await expectResult(page, /0–1/);
  await page.getByRole('dialog').getByRole('link', { name: 'Review' }).click();
  await page.waitForURL(/\/review\/.+/);
  await done(page);
  await show(page, 3);
  expect(await card(page).innerText()).toMatch(/2\. g4[^]*Blunder/);
});

test('a game on the analysis board is reviewed without being saved', async () => {
  const page = await riga.open('/review');
  await page.getByLabel('Game (PGN)').fill(MATE);
  await page.getByRole('button', { name: 'Start review' }).click();
  await page.waitForURL('/review/board');
  await done(page);
  await page.reload();
  await done(page);
  await page.getByRole('button', { name: 'Analyse' }).click();
  await page.waitForURL('/analysis');
  await page.getByRole('button', { name: 'More tools' }).click();
  await page.getByRole('menuitem', { name: 'Review' }).click();
  await page.waitForURL('/review/board');
});

test('a review is downloaded as annotated PGN, JSON and a web page', async () => {
  const page = await riga.open();
  await reviewed(page);
  for (const [name, pattern] of [
    ['Annotated PGN', /Nf6 \$4 \{[^}]*Blunder/],
    ['JSON', /"label": "blunder"/],
    ['Web page', /<!doctype html>[^]*Nf6/],
  ] as const) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name, exact: true }).click()]);
    expect((await readFile(await download.path())).toString()).toMatch(pattern);
  }
});

test('a review can be stopped and started again', async () => {
  const page = await riga.open();
  const long = '1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 1/2-1/2';
  const name = await imported(page, long);
  await page.getByRole('link', { name: `Review: ${name} – Bert` }).click();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('The review was stopped.').waitFor();
  await page.getByLabel('Effort').selectOption('quick');
  await page.getByRole('button', { name: 'Start review' }).click();
  await done(page);
  await page.getByText(/25,000 nodes per position/).waitFor();
});

test('a game in progress is not reviewed', async () => {
  const page = await riga.open();
  const address = await begin(page);
  await type(page, 'e4');
  await page.goto(address.replace('play', 'review'));
  await page.getByText('This game isn’t finished yet.').waitFor();
});

test('the review speaks German', async () => {
  const page = await riga.open('/review', { locale: 'de-DE' });
  await page.getByLabel('Partie (PGN)').fill(MATE);
  await page.getByRole('button', { name: 'Auswertung starten' }).click();
  await page.getByRole('tab', { name: 'Züge' }).click({ timeout: 40_000 });
  await page.locator('ol.moves [data-ply="6"]').click();
  expect(await card(page).innerText()).toMatch(/3… Sf6[^]*Grober Fehler[^]*matt/i);
});

/** The server's reviews give way to everything else: on a busy machine they take their time. */
const PATIENCE = 150_000;

test('a review runs in the queue of the server, and is there after a reload', { timeout: 2 * PATIENCE }, async () => {
  const page = await riga.open();
  await page.evaluate(() => localStorage.setItem('riga-review', JSON.stringify({ effort: 'quick' })));
  const name = await imported(page);
  await page.getByRole('link', { name: `Review: ${name} – Bert` }).click();
  await page.getByRole('button', { name: 'Run on the server instead' }).click();
  await page.getByText(/Reviewing on the server|Waiting for the server/).waitFor();
  await done(page, PATIENCE);
  await show(page, 6);
  expect(await card(page).innerText()).toMatch(/3… Nf6[^]*Blunder[^]*mate/i);
  await page.reload();
  await done(page);
  expect(await page.getByText(/^Reviewing/).count()).toBe(0);
  // A review of the browser doesn't replace it, and the page says so.
  riga.expectFault(/409/);
  await page.getByLabel('Runs').selectOption('browser');
  await page.getByRole('button', { name: 'Review again' }).click();
  await page.getByText('the server’s own review of this game is kept').waitFor({ timeout: 40_000 });
});

test('all games of a search are reviewed in the background, and the list says so', { timeout: 2 * PATIENCE }, async () => {
  const page = await riga.open();
  const names = [await imported(page, '1. f3 e5 2. g4 Qh4# 0-1', 'Carla'), await imported(page, '1. e4 e5 1-0', 'Carla')];
  await page.goto('/games?player=Carla');
  await expect.poll(() => page.getByRole('link', { name: /^Review: .* – Carla$/ }).count()).toBe(2);
  await page.getByRole('button', { name: 'Review all' }).click();
  const dialog = page.getByRole('dialog', { name: 'Review all' });
  await dialog.getByText('Review 2 games?').waitFor();
  await dialog.getByRole('button', { name: 'Review all' }).click();
  await page.getByText('2 queued, 0 already reviewed or queued').waitFor();
  await page.getByRole('region', { name: 'Reviews in progress' }).waitFor();
  for (const name of names) {
    await page.getByRole('link', { name: new RegExp(`^Reviewed [\\d.]+ / [\\d.]+: ${name} – Carla`) }).waitFor({ timeout: PATIENCE });
  }
  await page.getByRole('region', { name: 'Reviews in progress' }).waitFor({ state: 'detached' });
});

test('waiting reviews are called off', async () => {
  const page = await riga.open();
  for (let game = 0; game < 3; game++) await imported(page, `${'1. Nf3 Nf6 2. Ng1 Ng8 '.repeat(game + 1)}1-0`, 'Dora');
  await page.goto('/games?player=Dora');
  await expect.poll(() => page.getByRole('link', { name: /^Review: .* – Dora$/ }).count()).toBe(3);
  await page.getByRole('button', { name: 'Review all' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Review all' }).click();
  await page.getByRole('button', { name: 'Cancel waiting' }).click();
  await page.getByText('Waiting reviews were cancelled.').waitFor();
  // The one that runs goes on.
  const queue = async () => (await (await page.request.get('/api/reviews')).json()) as { waiting: number };
  expect((await queue()).waiting).toBe(0);
});
