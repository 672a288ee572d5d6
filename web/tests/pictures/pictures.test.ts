// Takes the screenshots in docs/pictures: every page, on desktop and phone.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { begin, moveList, type } from '../browser/hands';
import { useRiga } from '../browser/riga';
import { study } from '../browser/study';

const riga = useRiga();
const FOLDER = '../docs/pictures';

const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 640 } };

/** Games of a player with mistakes to learn from: a missed mate, a smothered mate, an old trap and two short defeats. */
const GAMES = [
  '[White "%"]\n[Black "Gisela"]\n[Date "2026.03.01"]\n[Result "0-1"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qf3 Nd4 0-1\n',
  '[White "%"]\n[Black "Viktor"]\n[Date "2026.03.08"]\n[Result "0-1"]\n[SetUp "1"]\n[FEN "1q3r1k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1"]\n\n1. Nf7+ Rxf7 0-1\n',
  '[White "Nina"]\n[Black "%"]\n[Date "2026.03.15"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0\n',
  '[White "%"]\n[Black "Gisela"]\n[Date "2026.03.22"]\n[Result "1-0"]\n\n1. d4 d5 2. c4 dxc4 3. e3 b5 4. a4 c6 5. axb5 cxb5 6. Qf3 Nc6 7. Qxc6+ Bd7 8. Qf3 1-0\n',
  '[White "Nina"]\n[Black "%"]\n[Date "2026.03.29"]\n[Result "1-0"]\n\n1. e4 c6 2. d4 d5 3. Nc3 dxe4 4. Nxe4 Nd7 5. Qe2 Ngf6 6. Nd6# 1-0\n',
].map((pgn) => (name: string) => pgn.replace('%', name));

/** Morphy's game at the opera. */
const OPERA =
  '[White "Morphy"]\n[Black "Duke Karl"]\n[Date "1858.11.02"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 ' +
  '8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0\n';

/** A lost game against the engine, so that there is something to show. */
async function lose(page: Page, level: number, side: 'White' | 'Black', moves: string[]): Promise<void> {
  await begin(page, { opponent: 'Engine', level, side, minutes: 5 });
  for (const move of moves) {
    await type(page, move);
    await expect.poll(() => moveList(page).then((list) => list.length % 2), { timeout: 20_000 }).toBe(0);
  }
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('dialog', { name: 'Game over' }).waitFor();
}

test('every page on a desk and on a phone', async () => {
  const page = await riga.open('/', { viewport: SIZES.desktop });
  await page.getByRole('button', { name: 'New profile' }).click();
  await page.getByLabel('Name').fill('Misha');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Play as guest' }).waitFor();
  await study(page, 'Misha', GAMES);
  await lose(page, 1, 'White', ['e4']);
  await lose(page, 2, 'White', ['d4']);
  // One game won and one drawn against a friend.
  await begin(page, { minutes: 5 });
  await type(page, 'e4', 'e5', 'Bc4', 'Nc6', 'Qh5', 'Nf6', 'Qxf7');
  await page.getByRole('dialog', { name: 'Game over' }).waitFor();
  await begin(page, { minutes: 15 });
  await type(page, 'd4', 'd5', 'c4');
  await page.getByRole('button', { name: 'Offer draw' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click();
  await page.getByRole('dialog', { name: 'Game over' }).waitFor();
  const play = await begin(page, { minutes: 5 });
  await type(page, 'e4', 'c5', 'Nf3', 'd6', 'd4', 'cxd4', 'Nxd4', 'Nf6', 'Nc3', 'a6', 'Bg5');
  const imported = await page.request.post('/api/games/import', { data: OPERA, headers: { 'Content-Type': 'application/x-chess-pgn' } });
  const { game } = (await imported.json()) as { game: string };
  const analysis = play.replace('/play', '/analysis');
  for (const [name, size] of Object.entries(SIZES)) {
    await page.setViewportSize(size);
    for (const [what, path] of Object.entries({
      start: '/',
      play,
      analysis,
      review: `/review/${game}`,
      games: '/games',
      puzzles: '/puzzles',
      statistics: '/statistics',
      settings: '/settings',
      help: '/help',
    })) {
      await page.goto(path);
      if (what === 'review') {
        await page.getByRole('tab', { name: 'Moves' }).click({ timeout: 60_000 });
        await page.locator('ol.moves [data-ply="31"]').click();
        await page.evaluate(() => window.scrollTo(0, 0));
      }
      await page.waitForTimeout(what === 'analysis' ? 6_000 : 2_000);
      await page.screenshot({ path: `${FOLDER}/${what}-${name}.png` });
    }
  }
});
