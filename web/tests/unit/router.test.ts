import { expect, test, vi } from 'vitest';

vi.stubGlobal('window', { location: { pathname: '/', search: '' }, addEventListener: vi.fn() });
const { parse } = await import('../../src/lib/router.svelte');

test.each([
  ['/', { page: 'start' }],
  ['', { page: 'start' }],
  ['/play', { page: 'start' }],
  ['/play/', { page: 'start' }],
  ['/play/abc', { page: 'play', game: 'abc' }],
  ['/play/abc/', { page: 'play', game: 'abc' }],
  ['/analysis', { page: 'analysis' }],
  ['/analysis/abc', { page: 'analysis', game: 'abc' }],
  ['/review', { page: 'review' }],
  ['/review/abc', { page: 'review', game: 'abc' }],
  ['/games', { page: 'games' }],
  ['/puzzles', { page: 'puzzles' }],
  ['/statistics', { page: 'statistics' }],
  ['/settings/', { page: 'settings' }],
  ['/account', { page: 'account' }],
  ['/help', { page: 'help' }],
  ['/help/me', { page: 'unknown' }],
  ['/Play/abc', { page: 'unknown' }],
  ['/constructor', { page: 'unknown' }],
])('%s', (path, route) => {
  expect(parse(path)).toEqual(route);
});
