// Filters of collections, as they are typed and asked for.

import { describe, expect, test } from 'vitest';
import { asMaterial } from '../../src/lib/libraryfilter';

describe('material', () => {
  test('is asked for as soon as it is complete, however it is typed', () => {
    expect(asMaterial('KRPvKR')).toBe('KRPvKR');
    expect(asMaterial(' rp v r ')).toBe('KRPvKR');
    expect(asMaterial('kqvk')).toBe('KQvK');
    for (const unfinished of ['', 'KR', 'rook', 'KRvKX']) expect(asMaterial(unfinished)).toBe('');
  });
});
