import { afterEach, describe, expect, test, vi } from 'vitest';
import { DEFAULTS, language, read, settings } from '../../src/lib/settings.svelte';
import { Shelf } from './made';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe('what is read', () => {
  test('all that is known and of the right kind is taken', () => {
    const theirs = {
      ...DEFAULTS,
      board: 'sea',
      pieces: 'letters',
      theme: 'dark',
      language: 'de',
      volume: 0,
      sound: false,
      autoQueen: true,
    };
    expect(read(theirs)).toEqual(theirs);
  });

  test('what is missing is as it was made', () => {
    expect(read({ board: 'forest' })).toEqual({ ...DEFAULTS, board: 'forest' });
  });

  test.each([null, undefined, 7, 'text', true, [], [1, 2], {}])('%j says nothing', (value) => {
    expect(read(value)).toEqual(DEFAULTS);
  });

  test.each([
    { board: 'marble' },
    { board: 3 },
    { pieces: null },
    { pieces: 'constructor' },
    { theme: ['dark'] },
    { language: 'fr' },
    { sound: 'false' },
    { animation: 0 },
    { volume: 1.01 },
    { volume: -0.1 },
    { volume: Number.NaN },
    { volume: '0.5' },
    { volume: true },
  ])('%j does not matter', (value) => {
    expect(read(value)).toEqual(DEFAULTS);
  });

  test('what is not known is not taken over', () => {
    expect(read({ fortune: 1 })).not.toHaveProperty('fortune');
  });

  test('the defaults are not changed by it', () => {
    read({ board: 'sea', volume: 0.1 }).coordinates = false;
    expect(DEFAULTS).toMatchObject({ board: 'amber', volume: 0.6, coordinates: true });
  });
});

describe('what this browser has kept', () => {
  async function settingsWith(kept: string): Promise<typeof settings> {
    const shelf = new Shelf();
    shelf.setItem('riga-settings', kept);
    vi.stubGlobal('localStorage', shelf);
    vi.resetModules();
    return (await import('../../src/lib/settings.svelte')).settings;
  }

  test('is there at the next visit', async () => {
    expect(await settingsWith('{"board":"slate"}')).toEqual({ ...DEFAULTS, board: 'slate' });
  });

  test('may be damaged', async () => {
    expect(await settingsWith('{"board":')).toEqual(DEFAULTS);
  });
});

describe('what is kept', () => {
  async function fresh() {
    vi.stubGlobal('localStorage', new Shelf());
    const calls = vi.fn((path: string) =>
      Promise.resolve(path === '/api/me' ? Response.json({}) : new Response(null, { status: 204 })),
    );
    vi.stubGlobal('fetch', calls);
    vi.resetModules();
    return { calls, ...(await import('../../src/lib/settings.svelte')) };
  }

  test('stays in this browser as long as there is no profile', async () => {
    const { calls, keep, settings } = await fresh();
    settings.board = 'sea';
    keep();
    expect(JSON.parse(localStorage.getItem('riga-settings') ?? '')).toEqual({ ...DEFAULTS, board: 'sea' });
    expect(calls).not.toHaveBeenCalled();
  });

  test('goes to the profile too, whose settings are taken over', async () => {
    const { calls, adopt, keep, settings } = await fresh();
    const user = { id: 7 } as never;
    adopt({ public: false, user, settings: { board: 'forest', volume: 9 } as never });
    expect(settings).toEqual({ ...DEFAULTS, board: 'forest' });
    keep();
    settings.board = 'sea';
    keep();
    const sent = (board: string) => [
      '/api/users/7',
      expect.objectContaining({ method: 'PATCH', body: JSON.stringify({ settings: { ...DEFAULTS, board } }) }) as unknown,
    ];
    // One after the other, once it is known who asks.
    await vi.waitFor(() => expect(calls.mock.calls.slice(1)).toEqual([sent('forest'), sent('sea')]));
  });

  test('a profile that has set nothing leaves all as it is', async () => {
    const { adopt, settings } = await fresh();
    settings.board = 'slate';
    adopt({ public: false, user: { id: 7 } as never, settings: {} });
    expect(settings.board).toBe('slate');
  });
});

test.each([
  ['system', 'de-AT', 'de'],
  ['system', 'DE', 'de'],
  ['system', 'fr', 'en'],
  ['en', 'de', 'en'],
  ['de', 'en', 'de'],
] as const)('with %s in a browser that speaks %s, %s is shown', (set, browser, shown) => {
  vi.stubGlobal('navigator', { language: browser });
  settings.language = set;
  expect(language()).toBe(shown);
});
