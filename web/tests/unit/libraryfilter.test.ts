// Filters of collections, as they are typed and asked for.

import { describe, expect, test } from 'vitest';
import { asMaterial, asQuery, EVERYTHING, faultsOf, fromQuery, strangeIn } from '../../src/lib/libraryfilter';

describe('material', () => {
  test('is asked for as soon as it is complete, however it is typed', () => {
    expect(asMaterial('KRPvKR')).toBe('KRPvKR');
    expect(asMaterial(' rp v r ')).toBe('KRPvKR');
    expect(asMaterial('kqvk')).toBe('KQvK');
    for (const unfinished of ['', 'KR', 'rook', 'KRvKX']) expect(asMaterial(unfinished)).toBe('');
  });
});

describe('a filter', () => {
  test('names its wrong fields and is asked for without them', () => {
    const filter = { ...EVERYTHING, min_rating: 'abc', max_rating: ' 2400 ', from: '59', to: '1964' };
    expect(faultsOf(filter)).toEqual(['min_rating', 'from']);
    expect(asQuery(filter).toString()).toBe('max_rating=2400&to=1964');
    expect(faultsOf(EVERYTHING)).toEqual([]);
  });

  test('has no choices that do not exist', () => {
    const query = new URLSearchParams('result=9&speed=blitz&side=up&order=xx&page=-4&player=Tal&other=1');
    expect(fromQuery(query)).toEqual({ ...EVERYTHING, speed: 'blitz', player: 'Tal' });
    expect(strangeIn(query)).toEqual(['result=9', 'side=up', 'order=xx', 'page=-4']);
    expect(strangeIn(new URLSearchParams('result=1-0&order=strongest&side=white&page='))).toEqual([]);
  });
});
