// Clocks, and how games end.

import { expect, test } from 'vitest';
import { begin, dismiss, drag, expectMoves, expectResult, type } from './hands';
import { useRiga } from './riga';

const riga = useRiga();

test('clocks run and the flag falls', async () => {
  const page = await riga.open();
  await begin(page, { minutes: 0.05 });
  const clock = (side: string) => page.getByRole('timer', { name: side }).innerText();
  expect(await clock('White')).toBe('0:03.0');
  await drag(page, 'e2', 'e4');
  await expectMoves(page, 'e4');
  await expect.poll(() => clock('Black'), { timeout: 4_000 }).toMatch(/^0:0[12]\.[0-8]/);
  expect(await clock('White')).toBe('0:03.0');
  await expectResult(page, /White wins on time/);
  expect(await clock('Black')).toBe('0:00.0');
  expect(await page.getByLabel('Type a move').count()).toBe(0);
});

test('mate is said in words', async () => {
  const page = await riga.open();
  await begin(page);
  await type(page, 'f3', 'e5', 'g4');
  await type(page, 'Qh4');
  await expectResult(page, /Black wins by checkmate/);
  // The result stays visible after the dialog is closed.
  await dismiss(page);
  await page.locator('aside').getByText(/checkmate/i).waitFor();
});

test('stalemate is said in words', async () => {
  const page = await riga.open();
  await begin(page, { fen: '7k/8/6K1/8/8/8/8/5Q2 w - - 0 1' });
  await type(page, 'Qf7');
  await expectResult(page, /Draw by stalemate/);
});

test('a draw by threefold repetition is claimed', async () => {
  const page = await riga.open();
  await begin(page);
  const claim = page.getByRole('button', { name: 'Claim draw' });
  await type(page, 'Nf3', 'Nf6', 'Ng1', 'Ng8', 'Nf3', 'Nf6', 'Ng1');
  expect(await claim.count()).toBe(0);
  await type(page, 'Ng8');
  await claim.click();
  await expectResult(page, /Draw by threefold repetition/);
});

test('a game against the engine is aborted before both have moved', async () => {
  const page = await riga.open();
  const path = await begin(page, { opponent: 'Engine', level: 1, side: 'White' });
  await page.getByRole('button', { name: 'Abort' }).click();
  await page.getByRole('dialog', { name: 'Abort' }).getByRole('button', { name: 'Abort' }).click();
  await expectResult(page, /Game aborted/);
  await page.goto(path);
  await page.locator('aside').getByText('Game aborted').waitFor();
});

test('resigning is asked about first', async () => {
  const page = await riga.open();
  await begin(page);
  await type(page, 'e4', 'e5');
  await page.getByRole('button', { name: 'Resign' }).click();
  const dialog = page.getByRole('dialog', { name: 'Resign' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Resign' }).click();
  await dialog.getByRole('button', { name: 'Resign' }).click();
  await expectResult(page, /wins by resignation/);
});

test('a rematch is a new game', async () => {
  const page = await riga.open();
  const first = await begin(page);
  await type(page, 'f3', 'e5', 'g4', 'Qh4');
  await page.getByRole('dialog', { name: 'Game over' }).getByRole('button', { name: 'Rematch' }).click();
  await expect.poll(() => new URL(page.url()).pathname).not.toBe(first);
  await expectMoves(page);
  await type(page, 'e4');
});

test('a rated game shows the ratings, and how it changed them', async () => {
  const page = await riga.open();
  await page.getByRole('button', { name: 'New profile' }).click();
  await page.getByLabel('Name').fill('Rita');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByLabel('Rated game').check();
  await begin(page, { opponent: 'Engine', level: 1, side: 'White' });
  const mine = page.locator('.strip', { hasText: 'Rita' }).locator('.rating');
  await expect.poll(() => mine.innerText()).toBe('1500');
  await type(page, 'e4');
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('dialog', { name: 'Game over' }).getByText(/^Rating: 1500 → \d{3,4}$/).waitFor();
  expect(await mine.innerText()).toMatch(/^\d{3,4}\s\(−\d+\)$/);
});
