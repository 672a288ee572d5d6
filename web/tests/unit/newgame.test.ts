import { beforeEach, expect, test, vi } from 'vitest';
import { game, START } from './made';

const engine = { name: 'Riga, level 3', level: 3 };

beforeEach(() => {
  vi.stubGlobal('window', { addEventListener: vi.fn(), location: { pathname: '/', search: '' } });
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: vi.fn() });
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: vi.fn() });
  vi.stubGlobal('navigator', { language: 'en' });
});

async function again(...args: Parameters<typeof import('../../src/lib/newgame').again>) {
  return (await import('../../src/lib/newgame')).again(...args);
}

test('the same game against the engine: side, level, clock and rating', async () => {
  const wanted = await again(game({ black: engine, time: '300+3', rated: true }), ['white'], undefined);
  expect(wanted).toMatchObject({
    opponent: { type: 'engine', level: 3 },
    side: 'white',
    time: '300+3',
    fen: null,
    rated: true,
  });
});

test('a game from a position begins there again', async () => {
  const start = START.replace(' w ', ' b ');
  const wanted = await again(game({ white: engine, start }), ['black'], undefined);
  expect(wanted).toMatchObject({ side: 'black', fen: start });
});

test('at one board the profile keeps its side', async () => {
  const wanted = await again(game(), ['white', 'black'], 'Aivars');
  expect(wanted).toMatchObject({ opponent: { type: 'here', name: 'Mikhail' }, side: 'black' });
});

test('a friend would have to agree, and who watches has no game', async () => {
  expect(await again(game(), ['white'], undefined)).toBeUndefined();
  expect(await again(game({ black: engine }), [], undefined)).toBeUndefined();
});
