// Two players in separate browsers.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { begin, drag, expectBoard, expectMoves, expectResult, moveList } from './hands';
import { useRiga } from './riga';

const riga = useRiga();

const LOST = 'Connection lost. Reconnecting …';

/** White invites, Black joins; `host` is the server's address for Black. */
async function meet(host = riga.url): Promise<[Page, Page]> {
  const white = await riga.open();
  await begin(white, { opponent: 'Friend via link', side: 'White' });
  const link = new URL(await white.getByLabel('Friend via link').inputValue());
  const black = await riga.open(host + link.pathname + link.hash);
  await black.getByLabel('Your name').fill('Berta');
  await black.getByRole('button', { name: 'Join game' }).click();
  await white.getByText('Berta').waitFor();
  await black.getByText('Opponent’s turn').waitFor();
  return [white, black];
}

test('two people play by link', async () => {
  const [white, black] = await meet();
  // The link has been used: its secret is no longer in the address.
  expect(new URL(black.url()).hash).toBe('');
  await drag(white, 'f2', 'f3');
  await expectMoves(black, 'f3');
  await drag(black, 'e7', 'e5');
  await expectMoves(white, 'f3', 'e5');
  await drag(white, 'g2', 'g4');
  await expectMoves(black, 'f3', 'e5', 'g4');
  await drag(black, 'd8', 'h4');
  await expectResult(white, /Black wins by checkmate/);
  await expectResult(black, /Black wins by checkmate/);
});

test('one cannot move the other side’s men', async () => {
  const [white, black] = await meet();
  await drag(black, 'd2', 'd4');
  await drag(white, 'e2', 'e4');
  await expectMoves(black, 'e4');
  await drag(white, 'e7', 'e5');
  await drag(black, 'c7', 'c5');
  await expectMoves(white, 'e4', 'c5');
});

test('a premove is played when the other side has moved', async () => {
  const [white, black] = await meet();
  const marked = () => black.locator('square.current-premove').filter({ visible: true }).count();
  await drag(black, 'e7', 'e5');
  await expect.poll(marked).toBe(2);
  await drag(white, 'e2', 'e4');
  for (const page of [white, black]) {
    await expectMoves(page, 'e4', 'e5');
    await expectBoard(page, 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR');
  }
  await expect.poll(marked).toBe(0);
  expect(await black.getByRole('alert').innerText()).toBe('');
});

test('a draw is offered, declined, offered again and accepted', async () => {
  const [white, black] = await meet();
  await drag(white, 'e2', 'e4');
  await expectMoves(black, 'e4');
  await white.getByRole('button', { name: 'Offer draw' }).click();
  await black.getByText('Guest offers a draw.').waitFor();
  await black.getByRole('button', { name: 'Decline' }).click();
  await white.getByText('Your offer was declined.').waitFor();
  await white.getByText('You offered a draw.').waitFor({ state: 'detached' });
  await black.getByRole('button', { name: 'Offer draw' }).click();
  await white.getByRole('button', { name: 'Accept' }).click();
  await expectResult(white, /Draw by agreement/);
  await expectResult(black, /Draw by agreement/);
});

test('the engine helps nobody against a person', async () => {
  const [white] = await meet();
  await drag(white, 'e2', 'e4');
  await expectMoves(white, 'e4');
  expect(await white.getByRole('button', { name: 'Hint' }).isDisabled()).toBe(true);
  expect(await white.getByRole('link', { name: 'Analyse' }).count()).toBe(0);
});

/** White resigns after a move of each side. */
async function resign(white: Page, black: Page): Promise<void> {
  await drag(white, 'e2', 'e4');
  await expectMoves(black, 'e4');
  await drag(black, 'e7', 'e5');
  await expectMoves(white, 'e4', 'e5');
  await white.getByRole('button', { name: 'Resign' }).click();
  await white.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
}

test('a game is aborted before both have moved, and nobody has lost', async () => {
  const [white, black] = await meet();
  await drag(white, 'e2', 'e4');
  await expectMoves(black, 'e4');
  expect(await black.getByRole('button', { name: 'Resign' }).count()).toBe(0);
  await black.getByRole('button', { name: 'Abort' }).click();
  await black.getByRole('dialog').getByRole('button', { name: 'Abort' }).click();
  for (const page of [white, black]) {
    await expectResult(page, /Game aborted/);
    expect(await page.getByRole('dialog').innerText()).not.toMatch(/won|lost|1–0|0–1/);
  }
});

test('a rematch is declined, and then asked for by the other side', async () => {
  const [white, black] = await meet();
  await resign(white, black);
  await white.getByRole('dialog').getByRole('button', { name: 'Rematch' }).click();
  await black.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
  await white.getByText('Your offer was declined.').waitFor();
  await white.getByText('You asked for a rematch.').waitFor({ state: 'detached' });
  await black.getByText('Guest wants a rematch.').waitFor({ state: 'detached' });
  const over = white.url();
  await black.getByRole('dialog').getByRole('button', { name: 'Rematch' }).click();
  await white.getByRole('dialog').getByRole('button', { name: 'Rematch' }).click();
  await white.waitForURL((url) => url.href !== over);
});

test('a browser whose seat is no longer valid says so', async () => {
  const [white] = await meet();
  const page = await riga.open();
  const stale = { [new URL(white.url()).pathname.replace('/play/', '')]: 'f'.repeat(64) };
  await page.evaluate((seats) => localStorage.setItem('riga-seats', seats), JSON.stringify(stale));
  await page.goto(white.url());
  await page.getByText('the seat that this browser remembers is no longer valid').waitFor();
});

test('a rematch is asked for and agreed to, with the sides changed', async () => {
  const [white, black] = await meet();
  await resign(white, black);
  await expectResult(white, /You lost 0–1/);
  await expectResult(black, /You won 0–1/);
  const over = black.url();
  await white.getByRole('dialog').getByRole('button', { name: 'Rematch' }).click();
  await white.getByRole('dialog').getByText('You asked for a rematch.').waitFor();
  await black.getByRole('dialog').getByText('Guest wants a rematch.').waitFor();
  await black.getByRole('dialog').getByRole('button', { name: 'Rematch' }).click();
  await black.waitForURL((url) => url.href !== over);
  await drag(black, 'd2', 'd4');
  await expectMoves(white, 'd4');
});

test('a rematch that is agreed on while one analyses is found afterwards', async () => {
  const [white, black] = await meet();
  await resign(white, black);
  await white.getByRole('dialog').getByRole('button', { name: 'Rematch' }).click();
  const over = black.url();
  await black.getByRole('dialog').getByText('Guest wants a rematch.').waitFor();
  await white.getByRole('dialog').getByRole('link', { name: 'Analyse' }).click();
  await white.waitForURL(/analysis/);
  await black.getByRole('dialog').getByRole('button', { name: 'Rematch' }).click();
  await black.waitForURL((url) => url.href !== over);
  await white.goBack();
  await white.getByRole('link', { name: 'Go to rematch' }).click();
  await drag(black, 'd2', 'd4');
  await expectMoves(white, 'd4');
  await drag(white, 'd7', 'd5');
  await expectMoves(black, 'd4', 'd5');
});

test('an invitation is withdrawn', async () => {
  const page = await riga.open();
  const address = await begin(page, { opponent: 'Friend via link', side: 'White' });
  await page.getByText('hasn’t joined yet').waitFor();
  await page.getByRole('button', { name: 'Cancel invitation' }).click();
  await page.getByRole('heading', { name: 'New game' }).waitFor();
  riga.expectFault(/404|WebSocket/);
  await page.goto(address);
  await page.getByText('Game not found, or you don’t have access.').waitFor();
});

test('a premove outlives the connection it was made on', async () => {
  riga.expectFault(/WebSocket connection|net::ERR_/);
  const wire = await riga.wire();
  const [white, black] = await meet(wire.url);
  const marked = () => black.locator('square.current-premove').filter({ visible: true }).count();
  await drag(black, 'e7', 'e5');
  await expect.poll(marked).toBe(2);
  wire.cut();
  await black.getByText(LOST).waitFor();
  wire.mend();
  await black.getByText(LOST).waitFor({ state: 'detached' });
  await drag(white, 'e2', 'e4');
  for (const page of [white, black]) await expectMoves(page, 'e4', 'e5');
  // If the opponent moved in the meantime, the premove is played on reconnect.
  await drag(white, 'g1', 'f3');
  await expectMoves(black, 'e4', 'e5', 'Nf3');
  await drag(black, 'b8', 'c6');
  await expectMoves(white, 'e4', 'e5', 'Nf3', 'Nc6');
  await drag(black, 'g8', 'f6');
  await expect.poll(marked).toBe(2);
  wire.cut();
  await black.getByText(LOST).waitFor();
  await drag(white, 'f1', 'b5');
  await expectMoves(white, 'e4', 'e5', 'Nf3', 'Nc6', 'Bb5');
  wire.mend();
  await expectMoves(white, 'e4', 'e5', 'Nf3', 'Nc6', 'Bb5', 'Nf6');
});

test('the server is started anew, and the game goes on', async () => {
  riga.expectFault(/WebSocket connection|net::ERR_/);
  const [white, black] = await meet();
  await drag(white, 'e2', 'e4');
  await expectMoves(black, 'e4');
  await riga.stop();
  await white.getByText(LOST).waitFor();
  await black.getByText(LOST).waitFor();
  await drag(black, 'e7', 'e5');
  await riga.serve();
  await black.getByText(LOST).waitFor({ state: 'detached', timeout: 20_000 });
  await white.getByText(LOST).waitFor({ state: 'detached', timeout: 20_000 });
  await drag(white, 'g1', 'f3');
  for (const page of [white, black]) {
    await expectMoves(page, 'e4', 'e5', 'Nf3');
    await expectBoard(page, 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R');
  }
});

test('a browser that goes offline says so, and catches up when it comes back', async () => {
  riga.expectFault(/WebSocket connection|net::ERR_/);
  const [white, black] = await meet();
  await drag(white, 'e2', 'e4');
  await expectMoves(black, 'e4');
  await drag(black, 'e7', 'e5');
  await expectMoves(white, 'e4', 'e5');
  await black.context().setOffline(true);
  await black.getByText(LOST).waitFor();
  await drag(white, 'g1', 'f3');
  await expectMoves(white, 'e4', 'e5', 'Nf3');
  await expectMoves(black, 'e4', 'e5');
  await black.context().setOffline(false);
  await black.getByText(LOST).waitFor({ state: 'detached' });
  for (const page of [white, black]) {
    await expectMoves(page, 'e4', 'e5', 'Nf3');
    await expectBoard(page, 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R');
  }
});

test('a wire is cut: it is said, a move made meanwhile arrives later, and both boards are the same', async () => {
  riga.expectFault(/WebSocket connection|net::ERR_/);
  const wire = await riga.wire();
  const [white, black] = await meet(wire.url);
  await drag(white, 'e2', 'e4');
  await expectMoves(black, 'e4');
  wire.cut();
  await black.getByText(LOST).waitFor();
  await white.locator('[title="offline"]').waitFor();
  await drag(black, 'e7', 'e5');
  await black.waitForTimeout(500);
  await expectMoves(white, 'e4');
  wire.mend();
  await expectMoves(white, 'e4', 'e5');
  await black.getByText(LOST).waitFor({ state: 'detached' });
  await drag(white, 'g1', 'f3');
  for (const page of [white, black]) {
    await expectMoves(page, 'e4', 'e5', 'Nf3');
    await expectBoard(page, 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R');
  }
});

test('a connection that has gone silent is noticed, and a move that was said into it arrives', async () => {
  const wire = await riga.wire();
  const [white, black] = await meet(wire.url);
  await drag(white, 'e2', 'e4');
  await expectMoves(black, 'e4');
  wire.silence();
  await drag(black, 'e7', 'e5');
  await expect.poll(() => moveList(white), { timeout: 25_000 }).toEqual(['e4', 'e5']);
  await drag(white, 'g1', 'f3');
  for (const page of [white, black]) {
    await expectMoves(page, 'e4', 'e5', 'Nf3');
    await expectBoard(page, 'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R');
  }
});
