import { expect, test, vi } from 'vitest';

test('all games in progress are found, however many pages they fill', async () => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: vi.fn() });
  const asked: string[] = [];
  const pages: Record<string, unknown> = {
    '/api/games?finished=false&most=200': { games: [{ id: 'a' }, { id: 'b' }], next: 'two' },
    '/api/games?finished=false&most=200&after=two': { games: [{ id: 'c' }], next: 'three' },
    '/api/games?finished=false&most=200&after=three': { games: [{ id: 'd' }], next: null },
  };
  vi.stubGlobal('fetch', (path: string) => {
    asked.push(path);
    return Promise.resolve(new Response(JSON.stringify(pages[path]), { headers: { 'content-type': 'application/json' } }));
  });
  const { unfinished } = await import('../../src/lib/ending');
  expect((await unfinished()).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  expect(asked).toEqual(Object.keys(pages));
});
