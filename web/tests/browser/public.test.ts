// A public server: accounts with passwords, and CSRF tokens.

import { expect, test } from 'vitest';
import { begin, drag, expectBoard, expectMoves, expectResult, signUp, START } from './hands';
import { useRiga } from './riga';

const riga = useRiga((origin) => ['--public', '--origin', origin, '--requests-per-second', '200']);

test('with an account one plays and analyses, after a reload, too', async () => {
  const page = await riga.open();
  await signUp(page, 'Anna');
  const game = await begin(page);
  await drag(page, 'e2', 'e4');
  await expectMoves(page, 'e4');
  await page.goto(game.replace('play', 'analysis'));
  await expectBoard(page, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR');
  for (let again = 0; again < 3; again++) {
    await page.goto('/analysis');
    await expectBoard(page, START);
    await drag(page, 'd2', 'd4');
    await expectBoard(page, 'rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR');
    await page.keyboard.press('Home');
    await page.reload();
    await expectBoard(page, START);
  }
});

test('who signs in in another tab goes on in the first', async () => {
  // The first tab's token is rejected, and fetched again.
  riga.expectFault(/403/);
  const page = await riga.open('/analysis');
  await expectBoard(page, START);
  const other = await page.context().newPage();
  await other.goto('/');
  await signUp(other, 'Boris');
  await page.bringToFront();
  await drag(page, 'e2', 'e4');
  await expectBoard(page, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR');
});

test('guests play, and are told that their games are not listed', async () => {
  const page = await riga.open();
  await begin(page);
  await drag(page, 'e2', 'e4');
  await expectMoves(page, 'e4');
  await page.goto('/games');
  await page.getByText('Sign in first.').waitFor();
  await page.goto('/statistics');
  await page.getByRole('heading', { name: 'My statistics' }).waitFor();
  expect(await page.getByRole('alert').innerText()).toBe('');
});

test('a wrong password is said in words', async () => {
  riga.expectFault(/401/);
  const page = await riga.open();
  await page.getByLabel('Name').fill('Nobody');
  await page.getByLabel('Password').fill('wrong password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Wrong name or password.').waitFor();
});

test('two accounts play a rated game, and both see the ratings and how they changed', async () => {
  const [white, black] = [await riga.open(), await riga.open()];
  await signUp(white, 'Dora');
  await signUp(black, 'Emil');
  await white.getByLabel('Rated game').check();
  await begin(white, { opponent: 'Friend via link', side: 'White' });
  await black.goto(await white.getByLabel('Friend via link').inputValue());
  await black.getByRole('button', { name: 'Join game' }).click();
  const rating = (page: typeof white, name: string) => page.locator('.strip', { hasText: name }).locator('.rating').innerText();
  for (const page of [white, black]) {
    for (const name of ['Dora', 'Emil']) await expect.poll(() => rating(page, name)).toBe('1500');
  }
  await drag(white, 'f2', 'f3');
  await expectMoves(black, 'f3');
  await drag(black, 'e7', 'e5');
  await expectMoves(white, 'f3', 'e5');
  await white.getByRole('button', { name: 'Resign' }).click();
  await white.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  for (const [page, words] of [[white, /You lost 0–1/], [black, /You won 0–1/]] as const) {
    await expectResult(page, words);
    await page.getByRole('dialog', { name: 'Game over' }).getByText(/^Rating: 1500 → \d{4}$/).waitFor();
    await expect.poll(() => rating(page, 'Dora')).toMatch(/^1[0-4]\d\d\s\(−\d+\)$/);
    await expect.poll(() => rating(page, 'Emil')).toMatch(/^1[5-9]\d\d\s\(\+\d+\)$/);
  }
});
