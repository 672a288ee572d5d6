// Several games at once, and the same game in several places.

import { expect, test } from 'vitest';
import { begin, dismiss, drag, expectBoard, expectMoves, START, type } from './hands';
import { useRiga } from './riga';

const riga = useRiga();

const E4 = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR';
const D4 = 'rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR';

test('two games are played in tabs', async () => {
  const page = await riga.open();
  const first = await begin(page);
  await drag(page, 'e2', 'e4');
  await expectMoves(page, 'e4');
  const second = await begin(page);
  expect(second).not.toBe(first);
  await expectBoard(page, START);
  await drag(page, 'd2', 'd4');
  await expectMoves(page, 'd4');

  const tabs = page.getByRole('group', { name: 'Games' });
  const at = () => new URL(page.url()).pathname;
  await tabs.locator(`a[href="${first}"]`).click();
  await expectBoard(page, E4);
  expect(at()).toBe(first);
  await drag(page, 'e7', 'e5');
  await expectMoves(page, 'e4', 'e5');
  await tabs.locator(`a[href="${second}"]`).click();
  await expectBoard(page, D4);
  await expectMoves(page, 'd4');
  await page.goBack();
  await expectMoves(page, 'e4', 'e5');

  // Closing the tab in front shows the other; its game is not lost.
  await tabs.getByRole('button', { name: 'Close tab' }).first().click();
  await expectBoard(page, D4);
  expect(at()).toBe(second);
  await page.goto(first);
  await expectMoves(page, 'e4', 'e5');
});

test('a reload lands in the same game', async () => {
  const page = await riga.open();
  const address = await begin(page);
  await drag(page, 'e2', 'e4');
  await expectMoves(page, 'e4');
  await page.reload();
  expect(new URL(page.url()).pathname).toBe(address);
  await expectBoard(page, E4);
  await drag(page, 'c7', 'c5');
  await expectMoves(page, 'e4', 'c5');
});

test('a second tab of the browser lands in the same game, and both go on together', async () => {
  const page = await riga.open();
  const address = await begin(page);
  await drag(page, 'e2', 'e4');
  await expectMoves(page, 'e4');
  const other = await page.context().newPage();
  await other.goto(address);
  await expectBoard(other, E4);
  await drag(other, 'c7', 'c5');
  await expectMoves(page, 'e4', 'c5');
  await page.bringToFront();
  await drag(page, 'g1', 'f3');
  await expectMoves(other, 'e4', 'c5', 'Nf3');
});

test('a tab says whom one plays, whose turn it is, and how it ended', async () => {
  const page = await riga.open();
  await begin(page, { opponent: 'Engine', level: 1, side: 'White' });
  const second = await begin(page);
  const tabs = page.getByRole('group', { name: 'Games' });
  await tabs.getByRole('link', { name: 'Your turn: Riga, level 1' }).click();
  await drag(page, 'e2', 'e4');
  // The engine answers while the other game is in front.
  await tabs.locator(`a[href="${second}"]`).click();
  await tabs.getByRole('link', { name: 'Your turn: Riga, level 1' }).waitFor();
  await type(page, 'd4', 'd5');
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('dialog', { name: 'Game over' }).waitFor();
  await dismiss(page);
  await tabs.getByRole('link', { name: /0–1/ }).waitFor();
});

test('tabs against the same opponent have different names', async () => {
  const page = await riga.open();
  await begin(page, { opponent: 'Engine', level: 1, side: 'White' });
  await begin(page, { opponent: 'Engine', level: 1, side: 'White' });
  const tabs = page.getByRole('group', { name: 'Games' });
  for (const name of ['Riga, level 1 (1)', 'Riga, level 1 (2)']) {
    await tabs.getByRole('link', { name }).waitFor();
  }
});

test('the tab of a game at one board has the name of the other player', async () => {
  const page = await riga.open();
  await page.getByRole('button', { name: 'New profile' }).click();
  await page.getByLabel('Name').fill('Wilhelmine von Hohenlohe-Langenburg');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Play as guest' }).waitFor();
  await begin(page, { side: 'Black' });
  await begin(page, { opponent: 'Engine', level: 1, side: 'White' });
  const tabs = page.getByRole('group', { name: 'Games' });
  await tabs.getByRole('link', { name: /Friend/ }).waitFor();
  expect(await tabs.innerText()).not.toContain('Wilhelmine');
});

test('a game that is not there leaves no tab', async () => {
  riga.expectFault(/404|WebSocket/);
  const page = await riga.open();
  await begin(page);
  await page.goto('/play/nosuchgame0000');
  await page.getByText('Game not found, or you don’t have access.').waitFor();
  const tabs = page.getByRole('group', { name: 'Games' });
  await expect.poll(() => tabs.getByRole('link', { name: /–/ }).count()).toBe(1);
  expect(await tabs.getByRole('button', { name: 'Close tab' }).count()).toBe(1);
});

test('a browser that keeps nothing can play all the same', async () => {
  const visitor = await riga.visitor();
  await visitor.addInitScript(() => {
    for (const name of ['getItem', 'setItem', 'removeItem'] as const) {
      Storage.prototype[name] = () => {
        throw new DOMException('denied', 'SecurityError');
      };
    }
  });
  const page = await visitor.newPage();
  await page.goto('/');
  await begin(page);
  await drag(page, 'e2', 'e4');
  await expectMoves(page, 'e4');
  await page.getByRole('link', { name: 'Analyse' }).click();
  await expectBoard(page, E4);
});

test('one steps through a game as fast as one likes', async () => {
  const page = await riga.open();
  await begin(page);
  await type(page, 'e4', 'e5', 'Nf3', 'Nc6', 'Bb5');
  for (let press = 0; press < 4; press++) await page.keyboard.press('ArrowLeft');
  await expectBoard(page, E4);
  await page.keyboard.press('End');
  await expectBoard(page, 'r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R');
});
