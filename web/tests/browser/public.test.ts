// A public server: accounts with passwords, and CSRF tokens.

import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { begin, drag, expectBoard, expectMoves, START } from './hands';
import { useRiga } from './riga';

const riga = useRiga((origin) => ['--public', '--origin', origin, '--requests-per-second', '200']);

async function signUp(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill('correct horse');
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

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
