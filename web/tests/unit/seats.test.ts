import { beforeEach, expect, test, vi } from 'vitest';
import { forgetSeats, keepLink, keepSeat, linkOf, newSecret, ownSecret, seatOf } from '../../src/lib/seats';
import { Shelf } from './made';

beforeEach(() => {
  vi.stubGlobal('localStorage', new Shelf());
  vi.stubGlobal('sessionStorage', new Shelf());
});

test('a seat is found again, and only in its own game', () => {
  keepSeat('abc', 'secret');
  keepSeat('def', 'other');
  expect([seatOf('abc'), seatOf('def'), seatOf('ghi')]).toEqual(['secret', 'other', undefined]);
});

test('a new secret takes the place of the old one', () => {
  keepSeat('abc', 'old');
  keepSeat('abc', 'new');
  expect(seatOf('abc')).toBe('new');
});

test('the oldest seats are forgotten, and one that is kept again is not old', () => {
  for (let i = 0; i < 200; i++) keepSeat(`game${i}`, `seat${i}`);
  keepSeat('game0', 'seat0');
  keepSeat('another', 'seat');
  expect(seatOf('game0')).toBe('seat0');
  expect(seatOf('game1')).toBeUndefined();
  expect(seatOf('game2')).toBe('seat2');
  expect(seatOf('another')).toBe('seat');
});

test.each(['', 'null', '7', '"text"', '[]', '{"abc":7}', '{"abc":'])('what somebody else has kept there (%s) is no seat', (kept) => {
  localStorage.setItem('riga-seats', kept);
  expect(seatOf('abc')).toBeUndefined();
  keepSeat('def', 'secret');
  expect(seatOf('def')).toBe('secret');
});

test('no game is called like a part of an object', () => {
  expect(seatOf('constructor')).toBeUndefined();
  expect(seatOf('__proto__')).toBeUndefined();
});

test('without storage a seat is kept as long as the page', () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new Error('denied');
    },
    setItem: () => {
      throw new Error('full');
    },
  });
  keepSeat('abc', 'secret');
  expect(seatOf('abc')).toBe('secret');
});

test('a secret has 256 bits and is never the same', () => {
  const secrets = Array.from({ length: 50 }, newSecret);
  expect(new Set(secrets).size).toBe(50);
  for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{64}$/);
});

test('the secret to take a seat with is the same at every attempt', () => {
  expect(ownSecret('abc')).toBe(ownSecret('abc'));
  expect(ownSecret('abc')).not.toBe(ownSecret('xyz'));
});

test('nothing is left after signing out', () => {
  keepSeat('abc', 'secret');
  keepLink('abc', 'link');
  ownSecret('abc');
  forgetSeats();
  expect([seatOf('abc'), linkOf('abc')]).toEqual([undefined, undefined]);
  expect(['riga-seats', 'riga-links'].map((key) => localStorage.getItem(key))).toEqual([null, null]);
  expect(sessionStorage.getItem('riga-own')).toBeNull();
});
