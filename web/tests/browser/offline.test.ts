// Without the server: play, analyse, and upload when it is back.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { begin, dismiss, drag, expectMoves, moveList, type } from './hands';
import { useRiga } from './riga';

const riga = useRiga();

beforeEach(() => riga.expectFault(/ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|Failed to fetch|WebSocket/));

// Also after a test that failed.
afterEach(() => riga.serve());

/** Visits the start page once; the service worker then has everything. */
async function visit(): Promise<Page> {
  const page = await riga.open('/', { serviceWorkers: 'allow' });
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  return page;
}

async function withoutServer(): Promise<Page> {
  const page = await visit();
  await riga.stop();
  await page.reload();
  await page.getByText('Offline', { exact: true }).waitFor();
  return page;
}

/** The server is back, and the page has noticed. */
async function comeBack(page: Page): Promise<void> {
  await riga.serve();
  await expect.poll(() => page.getByText('Offline', { exact: true }).count()).toBe(0);
}

interface Stored {
  id: string;
  plies: number;
  result: string;
  white: { level: number | null };
  black: { level: number | null };
}

async function stored(): Promise<Stored[]> {
  const answer = await fetch(`${riga.url}/api/games`);
  return ((await answer.json()) as { games: Stored[] }).games;
}

/** A strong engine, which plays our moves. */
function adviser(): { best: (fen: string) => Promise<string>; quit: () => void } {
  const engine = spawn(process.env['RIGA'] ?? '../target/debug/riga', ['uci'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface({ input: engine.stdout });
  return {
    best: (fen) =>
      new Promise((resolve) => {
        const hear = (line: string) => {
          const move = /^bestmove (\S+)/.exec(line)?.[1];
          if (move === undefined) return;
          lines.off('line', hear);
          resolve(move);
        };
        lines.on('line', hear);
        engine.stdin.write(`position fen ${fen}\ngo nodes 20000\n`);
      }),
    quit: () => engine.stdin.end('quit\n'),
  };
}

async function fenOf(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'FEN' }).click();
  const fen = await page.getByRole('textbox', { name: 'FEN', exact: true }).inputValue();
  await dismiss(page);
  return fen;
}

test('a game against level 3 is played to mate without the server, and uploaded once', async () => {
  const page = await withoutServer();
  const path = await begin(page, { opponent: 'Engine', level: 3, side: 'White', minutes: 2 });
  const { best, quit } = adviser();
  const over = page.getByText(/wins by|Draw/).first();
  for (let plies = 0; plies < 240 && !(await over.isVisible()); plies += 2) {
    await type(page, await best(await fenOf(page)));
    await expect.poll(async () => (await over.isVisible()) || (await moveList(page)).length === plies + 2).toBe(true);
  }
  quit();
  await page.getByText('White wins by checkmate').first().waitFor();
  const moves = await moveList(page);
  await comeBack(page);
  await expect.poll(() => stored().then((games) => games.length)).toBe(1);
  // Nothing is left to upload, neither here nor in another tab.
  await page.reload();
  await page.getByText('White wins by checkmate').first().waitFor();
  expect(await moveList(page)).toEqual(moves);
  await page.goto('/');
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  expect(await page.getByText('In this browser').count()).toBe(0);
  const [game, ...others] = await stored();
  expect(others).toEqual([]);
  expect(game).toMatchObject({ id: path.split('/').at(-1), plies: moves.length, result: '1-0', black: { level: 3 } });
}, 240_000);

test('a game survives a reload, can be taken back, and is deleted', async () => {
  const page = await withoutServer();
  await begin(page, { opponent: 'Engine', level: 1, side: 'White' });
  await type(page, 'e4');
  await expect.poll(() => moveList(page).then((list) => list.length)).toBe(2);
  const moves = await moveList(page);
  await page.reload();
  await expectMoves(page, ...moves);
  await page.getByRole('button', { name: 'Take back' }).click();
  await expectMoves(page);
  await page.goto('/');
  await page.getByRole('heading', { name: 'In this browser' }).waitFor();
  await page.getByRole('button', { name: /^Delete/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: /^Delete/ }).click();
  await expect.poll(() => page.getByRole('heading', { name: 'In this browser' }).count()).toBe(0);
  await comeBack(page);
});

test('a game at one board is uploaded, too', async () => {
  const page = await withoutServer();
  const id = (await begin(page, { opponent: 'Someone at this board' })).split('/').at(-1);
  await type(page, 'f3', 'e5', 'g4', 'Qh4');
  await page.getByText('Black wins by checkmate').first().waitFor();
  await comeBack(page);
  await expect.poll(() => stored().then((games) => games.filter((game) => game.id === id).length)).toBe(1);
});

test('a move that was taken back while the engine thinks isn’t answered', async () => {
  const page = await withoutServer();
  const fen = 'r2q1rk1/1b2bppp/p1n1pn2/1p6/3P3P/PBN2N2/1P3PP1/R1BQR1K1 w - - 0 14';
  await begin(page, { opponent: 'Engine', level: 10, side: 'White', fen });
  await type(page, 'Bg5');
  await page.getByText('thinking …').waitFor();
  await page.getByRole('button', { name: 'Take back' }).click();
  await expectMoves(page);
  // Another move at the same ply, which has another answer.
  await type(page, 'Ng5');
  await expect.poll(() => moveList(page).then((list) => list.length)).toBe(2);
  expect(await page.getByText('Connection lost').count()).toBe(0);
  await comeBack(page);
});

test('a rematch is played without the server', async () => {
  const page = await withoutServer();
  const path = await begin(page, { opponent: 'Engine', level: 1, side: 'White' });
  await type(page, 'e4');
  await expect.poll(() => moveList(page).then((list) => list.length)).toBe(2);
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rematch' }).click();
  await page.waitForURL((url) => url.pathname.startsWith('/play/') && url.pathname !== path);
  await expect.poll(() => moveList(page).then((list) => list.length)).toBe(1);
  await comeBack(page);
});

test('the analysis board and its engine work without the server', async () => {
  const page = await withoutServer();
  await page.goto('/analysis');
  await drag(page, 'e2', 'e4');
  await drag(page, 'c7', 'c5');
  await page.getByText('Sicilian Defense').first().waitFor();
  await page.getByRole('button', { name: 'Engine' }).first().click();
  await page.getByText(/depth \d+/i).first().waitFor({ timeout: 20_000 });
  await comeBack(page);
});

test('a friend can’t be invited without the server', async () => {
  const page = await withoutServer();
  await page.getByRole('group', { name: 'Opponent' }).getByRole('radio', { name: 'Friend via link' }).check();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText('The server can’t be reached').first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
  await comeBack(page);
});

test('a name that the server doesn’t take costs nothing but the name', async () => {
  const page = await withoutServer();
  await page.getByRole('group', { name: 'Opponent' }).getByRole('radio', { name: 'Someone at this board' }).check();
  await page.getByLabel('Opponent’s name').fill('Mama & Papa');
  const id = (await begin(page, { opponent: 'Someone at this board' })).split('/').at(-1);
  await type(page, 'f3', 'e5', 'g4', 'Qh4');
  riga.expectFault(/400/);
  await comeBack(page);
  await expect.poll(() => stored().then((games) => games.filter((game) => game.id === id).length)).toBe(1);
});

test('another tab waits for a game, says so, and finds it on the server later', async () => {
  const page = await withoutServer();
  const path = await begin(page, { opponent: 'Someone at this board' });
  const other = await page.context().newPage();
  await other.goto(path);
  await other.getByText('open in another tab').waitFor();
  await type(page, 'f3', 'e5', 'g4', 'Qh4');
  await comeBack(page);
  await expect.poll(() => stored().then((games) => games.some((game) => game.id === path.split('/').at(-1)))).toBe(true);
  await page.close();
  await other.getByText('Black wins by checkmate').first().waitFor();
});

test('a profile’s game is not the next one’s to play', async () => {
  const page = await visit();
  await page.getByRole('button', { name: 'New profile' }).click();
  await page.getByLabel('Name').fill('Anna');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Play as guest' }).waitFor();
  await riga.stop();
  const path = await begin(page, { opponent: 'Someone at this board' });
  await type(page, 'f3');
  await comeBack(page);
  await page.goto('/');
  await page.getByRole('heading', { name: 'In this browser' }).waitFor();
  riga.expectFault(/404/);
  await page.getByRole('button', { name: 'Play as guest' }).click();
  await expect.poll(() => page.getByRole('heading', { name: 'In this browser' }).count()).toBe(0);
  await page.goto(path);
  await page.getByRole('link', { name: 'Home page' }).waitFor();
});

test('a game is reviewed without the server, and the review is stored with it afterwards', async () => {
  const page = await withoutServer();
  const address = await begin(page);
  await type(page, 'f3', 'e5', 'g4', 'Qh4');
  await page.getByRole('dialog', { name: 'Game over' }).getByRole('link', { name: 'Review' }).click();
  await page.getByRole('tab', { name: 'Moves' }).click({ timeout: 40_000 });
  await page.locator('ol.moves [data-ply="3"]').click();
  await expect.poll(() => page.locator('.say').innerText()).toMatch(/2\. g4[^]*Blunder/);
  await page.reload();
  await page.getByText('Kept in this browser').waitFor({ timeout: 20_000 });
  await comeBack(page);
  const id = address.replace('/play/', '');
  await expect.poll(() => stored().then((games) => games.some((game) => game.id === id))).toBe(true);
  await page.reload();
  await page.getByRole('tab', { name: 'Overview' }).waitFor({ timeout: 20_000 });
  const review = async () => ((await (await fetch(`${riga.url}/api/games/${id}/review`)).json()) as { state: string }).state;
  await expect.poll(review).toBe('done');
});

test('a review that was seen is there without the server', async () => {
  const page = await visit();
  await page.goto('/games');
  const text = '[White "Anna"]\n[Black "Bert"]\n[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n';
  await page.locator('input[type=file]').setInputFiles({ name: 'game.pgn', mimeType: 'application/vnd.chess-pgn', buffer: Buffer.from(text) });
  await page.getByRole('link', { name: 'Review: Anna – Bert' }).click();
  await page.getByRole('tab', { name: 'Overview' }).waitFor({ timeout: 40_000 });
  // Once it is on the server, it isn't in this browser only.
  await expect.poll(() => page.getByText('Kept in this browser').count()).toBe(0);
  await riga.stop();
  await page.reload();
  await page.getByRole('tab', { name: 'Moves' }).click({ timeout: 15_000 });
  await page.locator('ol.moves [data-ply="6"]').click();
  expect(await page.locator('.say').innerText()).toMatch(/3… Nf6[^]*Blunder[^]*mate/i);
  expect(await page.getByText('Reviewing in this browser').count()).toBe(0);
});
