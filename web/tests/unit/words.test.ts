import { beforeEach, describe, expect, test } from 'vitest';
import { DEFAULTS, settings } from '../../src/lib/settings.svelte';
import { clock, date, decimal, ended, levelName, problem, roughly, score, share, spoken, timeControl, whole } from '../../src/lib/words';
import { START } from './made';

beforeEach(() => {
  Object.assign(settings, DEFAULTS, { language: 'en' });
});

describe('a move is spoken', () => {
  const BEFORE = 'r3k3/1P6/8/3p4/4P3/8/8/R3K2R w KQq - 0 1';

  test.each([
    ['Nf3', 'g1f3', START, 'knight g1 to f3'],
    ['e4', 'e2e4', START, 'pawn e2 to e4'],
    ['exd5', 'e4d5', BEFORE, 'pawn e4 takes d5'],
    ['O-O', 'e1g1', BEFORE, 'castles kingside'],
    ['O-O-O+', 'e1c1', BEFORE, 'castles queenside, check'],
    ['bxa8=N#', 'b7a8n', BEFORE, 'pawn b7 takes a8, promotes to knight, checkmate'],
    ['b8=Q+', 'b7b8q', BEFORE, 'pawn b7 to b8, promotes to queen, check'],
  ])('%s', (san, uci, before, text) => {
    expect(spoken(san, uci, before)).toBe(text);
  });

  test('in German', () => {
    settings.language = 'de';
    expect(spoken('Nf3+', 'g1f3', START)).toMatch(/^Springer g1 \S+ f3, Schach$/);
  });
});

test.each([
  [{ cp: 125 }, '+1.25'],
  [{ cp: -30 }, '−0.30'],
  [{ cp: 1234 }, '+12.3'],
  [{ cp: -999 }, '−9.99'],
  [{ mate: 5 }, '#5'],
  [{ mate: -2 }, '−#2'],
])('a score %j is written %s', (given, text) => {
  expect(score(given)).toBe(text);
});

test('all numbers have the separators of the language', () => {
  settings.language = 'de';
  expect([score({ cp: 151 }), score({ cp: -1234 }), roughly({ cp: 57 })]).toEqual(['+1,51', '−12,3', '0,6']);
  expect([decimal(12.5), decimal(0.125, 2), whole(100_000)]).toEqual(['12,5', '0,13', '100.000']);
  expect([clock(9_400), timeControl('90+1.5')]).toEqual(['0:09,4', '1,5 + 1,5']);
  settings.language = 'en';
  expect([decimal(12.5), whole(100_000)]).toEqual(['12.5', '100,000']);
});

test('the bar is even at zero, full at mate, and the same for both sides', () => {
  expect(share({ cp: 0 })).toBe(0.5);
  expect(share({ mate: 3 })).toBe(1);
  expect(share({ mate: -3 })).toBe(0);
  expect(share({ cp: 100 })).toBeGreaterThan(share({ cp: 50 }));
  expect(share({ cp: 180 }) + share({ cp: -180 })).toBeCloseTo(1);
});

test.each([
  [0, '0:00.0'],
  [949, '0:00.9'],
  [9_999, '0:09.9'],
  [10_000, '0:10'],
  [10_001, '0:11'],
  [59_999, '1:00'],
  [309_000, '5:09'],
  [3_599_001, '1:00:00'],
  [3_909_000, '1:05:09'],
])('%i ms on a clock are %s', (milliseconds, text) => {
  expect(clock(milliseconds)).toBe(text);
});

test.each([
  ['300+3', '5 + 3'],
  ['300', '5 + 0'],
  ['30', '½ + 0'],
  ['15+1', '¼ + 1'],
  ['90+1.5', '1.5 + 1.5'],
  ['100', '1.67 + 0'],
  ['600d5', '10 d5'],
  ['40/5400', '40/5400'],
  ['', 'No clock'],
  [null, 'No clock'],
  [undefined, 'No clock'],
])('the time control %j is said %j', (text, said) => {
  expect(timeControl(text)).toBe(said);
});

test('a day is written in the language that is set', () => {
  const day = Date.UTC(2025, 2, 5, 12);
  expect(date(day)).toBe('Mar 5, 2025');
  settings.language = 'de';
  expect(date(day)).toBe('5. März 2025');
});

test.each([
  [null, 'Game aborted', 'Partie abgebrochen'],
  [{ winner: 'white', ending: 'time', text: '' }, 'White wins on time', 'Weiß gewinnt auf Zeit'],
  [{ winner: null, ending: 'stalemate', text: '' }, 'Draw by stalemate', 'Remis durch Patt'],
] as const)('an end is told in the language that is set: %o', (outcome, english, german) => {
  settings.language = 'en';
  expect(ended(outcome)).toBe(english);
  settings.language = 'de';
  expect(ended(outcome)).toBe(german);
});

test('levels have names in both languages, and one that is not listed keeps the server’s name', () => {
  const level = { number: 5, name: 'club player', elo: 1450 };
  expect(levelName(level)).toBe('club player');
  expect(levelName({ number: 11, name: 'oracle', elo: null })).toBe('oracle');
  settings.language = 'de';
  expect(levelName(level)).toBe('Vereinsspieler');
});

test('a problem is shown without the API name of the field', () => {
  const given = { type: '/problems/invalid-position', title: 'Invalid position', status: 422 };
  const fields = [{ name: 'fen', detail: 'White has no king' }];
  expect(problem({ ...given, detail: 'fen: White has no king', fields })).toBe('Invalid position: White has no king');
  expect(problem({ ...given, detail: 'White has no king' })).toBe('Invalid position: White has no king');
  const undecoded = 'Failed to deserialize the JSON body into the target type: moves[16]: invalid type: null';
  expect(problem({ type: '/problems/invalid-request', title: '', status: 400, detail: undecoded })).toBe('Invalid input');
});
