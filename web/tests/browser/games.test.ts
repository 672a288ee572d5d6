// The game list: import, search and delete.

import { expect, test } from 'vitest';
import { begin, expectBoard, START, type } from './hands';
import { useRiga } from './riga';

const riga = useRiga();

const PGN = `[Event "Casual"]
[Site "Paris"]
[Date "1858.??.??"]
[White "Morphy"]
[Black "Duke Karl"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 1-0

[Event "Other"]
[White "Nobody"]
[Black "Somebody"]
[Result "1/2-1/2"]

1. d4 d5 1/2-1/2
`;

const file = (text: string) => ({ name: 'games.pgn', mimeType: 'application/vnd.chess-pgn', buffer: Buffer.from(text) });

test('a PGN file is imported, found, opened and replayed with the arrow keys', async () => {
  const page = await riga.open('/games');
  await page.getByText('No games yet.').waitFor();
  await page.locator('input[type=file]').setInputFiles(file(PGN));
  await page.getByText('2 imported, 0 duplicates, 0 with warnings, 0 rejected').waitFor();
  await page.getByText('Morphy').waitFor();

  await page.getByLabel('Player').fill('Duke');
  await page.getByText('Nobody').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: /^Morphy/ }).click();
  await page.waitForURL(/\/analysis\/.+/);
  await page.locator('cg-board piece').first().waitFor();

  await page.keyboard.press('Home');
  await expectBoard(page, START);
  const boards = [
    'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR',
    'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR',
    'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R',
    'rnbqkbnr/ppp2ppp/3p4/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R',
    'rnbqkbnr/ppp2ppp/3p4/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R',
    'rn1qkbnr/ppp2ppp/3p4/4p3/3PP1b1/5N2/PPP2PPP/RNBQKB1R',
  ];
  for (const board of boards) {
    await page.keyboard.press('ArrowRight');
    await expectBoard(page, board);
  }
  await page.keyboard.press('ArrowRight');
  await expectBoard(page, boards.at(-1) ?? '');
  await page.keyboard.press('ArrowLeft');
  await expectBoard(page, boards.at(-2) ?? '');
  await page.keyboard.press('Home');
  await expectBoard(page, START);
});

test('importing the same file twice adds no games', async () => {
  const page = await riga.open('/games');
  await page.locator('input[type=file]').setInputFiles(file(PGN));
  await page.getByText('0 imported, 2 duplicates, 0 with warnings, 0 rejected').waitFor();
});

test('importing a damaged file shows what is wrong, and keeps what can be read', async () => {
  const page = await riga.open('/games');
  const good = '[White "Good"]\n[Black "Game"]\n[Result "*"]\n\n1. c4 *\n\n';
  await page.locator('input[type=file]').setInputFiles(file(`${good}[White "Bad"]\n[Result "*"]\n\n1. e4 Ke4 *\n`));
  await page.getByText('2 imported, 0 duplicates, 1 with warnings, 0 rejected').waitFor();
  await page.getByText('Ke4').waitFor();
  await page.getByText('Good').waitFor();
  await page.getByText(/^Bad –/).waitFor();
});

test('filters are in the address, and a game is deleted after confirmation', async () => {
  const page = await riga.open('/games');
  await page.locator('input[type=file]').setInputFiles(file(PGN.replaceAll('Morphy', 'Anderssen').replaceAll('Nobody', 'Kieseritzky')));
  await page.getByText('Anderssen').waitFor();
  await page.getByLabel('Player').fill('Anderssen');
  await page.getByText('Kieseritzky').waitFor({ state: 'detached' });
  await page.waitForURL('/games?player=Anderssen');
  await page.reload();
  await page.getByText('Anderssen').waitFor();
  expect(await page.getByLabel('Player').inputValue()).toBe('Anderssen');
  expect(await page.getByText('Kieseritzky').count()).toBe(0);

  await page.getByRole('button', { name: 'Delete: Anderssen – Duke Karl' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Delete: Anderssen – Duke Karl' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Anderssen').waitFor({ state: 'detached' });
  await page.reload();
  await page.getByText('No matching games').waitFor();
});

test('games are found by a position, from the analysis board, too', async () => {
  const page = await riga.open('/games');
  await page.locator('input[type=file]').setInputFiles(file(PGN.replaceAll('Morphy', 'Steinitz').replaceAll('Nobody', 'Zukertort')));
  await page.getByText('Steinitz').waitFor();
  await page.getByLabel('Position (FEN)').fill('rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2');
  await page.getByText('Zukertort').waitFor({ state: 'detached' });
  await page.getByText('Steinitz').waitFor();
  await page.getByRole('link', { name: /^Steinitz/ }).click();
  await page.locator('cg-board piece').first().waitFor();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.getByRole('link', { name: /^Show/ }).click();
  await page.waitForURL(/\/games\?position=/);
  await page.getByText('Steinitz').waitFor();
  await page.getByText('Zukertort').waitFor({ state: 'detached' });
});

test('all games in progress are listed; they are ended and deleted', async () => {
  const page = await riga.open();
  await page.getByRole('button', { name: 'New profile' }).click();
  await page.getByLabel('Name').fill('Vera');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Play as guest' }).waitFor();
  for (let game = 0; game < 4; game++) await begin(page, { opponent: 'Engine', level: 1, side: 'White' });
  await page.goto('/');
  const running = page.getByRole('link', { name: /^Vera – Riga, level 1/ });
  await expect.poll(() => running.count()).toBe(4);
  await page.getByRole('button', { name: 'End game: Vera – Riga, level 1' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'End game' }).click();
  await expect.poll(() => running.count()).toBe(3);
  await page.goto('/games');
  await page.getByRole('heading', { name: 'My games' }).waitFor();
  await expect.poll(() => running.count()).toBe(4);
  const live = page.locator('li').filter({ hasText: 'live' });
  expect(await live.count()).toBe(3);
  await live.first().getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => running.count()).toBe(3);
  await page.reload();
  await expect.poll(() => live.count()).toBe(2);
});

test('a bad position in the search is rejected in words', async () => {
  riga.expectFault(/400|422/);
  const page = await riga.open('/games');
  for (const [fen, words] of [
    ['nonsense', 'Invalid position: a board has 8 ranks, but this one has 1'],
    ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQQBNR w KQkq - 0 1', 'Invalid position: White has no king'],
  ] as const) {
    await page.getByLabel('Position (FEN)').fill(fen);
    await page.getByText(words, { exact: true }).waitFor();
  }
  await page.getByLabel('Position (FEN)').fill('');
  await page.getByText('Invalid position').waitFor({ state: 'detached' });
});

test('a profile is renamed, and so are its games', async () => {
  const page = await riga.open();
  await page.getByRole('button', { name: 'New profile' }).click();
  await page.getByLabel('Name').fill('Jörg');
  await page.getByRole('button', { name: 'Create' }).click();
  await begin(page, { opponent: 'Engine', level: 1, side: 'White' });
  await page.goto('/');
  await page.getByRole('link', { name: 'Manage profile' }).click();
  await page.getByLabel('Name').fill('Zoë');
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.locator('header').getByText('Zoë').waitFor();
  await page.goto('/games?player=zoe');
  await page.getByRole('link', { name: /^Zoë – Riga/ }).waitFor();
});

test('a guest does not see the games of a profile as their own', async () => {
  const page = await riga.open();
  await page.getByRole('button', { name: 'New profile' }).click();
  await page.getByLabel('Name').fill('Olga');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Play as guest' }).waitFor();
  await begin(page, { opponent: 'Engine', level: 1, side: 'White' });
  await page.goto('/games');
  await page.getByRole('heading', { name: 'My games' }).waitFor();
  await page.goto('/');
  await page.getByRole('button', { name: 'Play as guest' }).click();
  await page.locator('header').getByText('Guest').waitFor();
  await page.goto('/games');
  await page.getByRole('heading', { name: 'All games' }).waitFor();
  await page.getByRole('link', { name: /Olga/ }).first().waitFor();
  expect(await page.getByText('My games').count()).toBe(0);
});

test('a game that nobody has joined is ended on the start page, and deleted in the list', async () => {
  const page = await riga.open();
  await page.getByRole('button', { name: 'New profile' }).click();
  await page.getByLabel('Name').fill('Paul');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Play as guest' }).waitFor();
  for (let game = 0; game < 2; game++) await begin(page, { opponent: 'Friend via link' });
  await page.goto('/');
  const waiting = page.getByRole('link', { name: /^Friend via link/ });
  await expect.poll(() => waiting.count()).toBe(2);
  await page.getByRole('button', { name: 'End game: Friend via link' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'End game' }).click();
  await expect.poll(() => waiting.count()).toBe(1);
  await page.goto('/games');
  await page.getByRole('button', { name: /^Delete/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No games yet.').waitFor();
});

test('a game of two people at one board is not in the statistics', async () => {
  const page = await riga.open();
  await page.getByRole('button', { name: 'New profile' }).click();
  await page.getByLabel('Name').fill('Quirin');
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Play as guest' }).waitFor();
  await begin(page);
  await type(page, 'f3', 'e5', 'g4', 'Qh4');
  await page.getByRole('dialog', { name: 'Game over' }).waitFor();
  await page.goto('/statistics');
  await page.getByText('You haven’t finished a game here yet.').waitFor();
  await page.goto('/games');
  await page.getByRole('link', { name: /^Quirin – Friend/ }).waitFor();
});
