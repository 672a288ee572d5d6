import { describe, expect, test, vi } from 'vitest';
import type { Schemas, Side } from '../../src/lib/api';
import type { Heard } from '../../src/lib/heard';
import { Room } from '../../src/lib/room.svelte';
import { game, played, position, standing } from './made';
import { useWires, Wire } from './wire';

type ServerMessage = Schemas['ServerMessage'];

useWires();

function room(heard: Heard = {}, seat: string | undefined = 'secret'): Room {
  return new Room('abc', seat, heard);
}

/** A move message from the server. */
function told(version: number, changes: Partial<Extract<ServerMessage, { type: 'played' }>> = {}): ServerMessage {
  return { type: 'played', version, ply: version - 2, played: played('e4', 'e2e4'), position: position('black'), standing: standing(), ...changes };
}

/** White’s draw offer, as sent by the server. */
const WHITE_OFFERS = {
  by: 'white',
  what: 'draw',
  standing: standing({ offer: { by: 'white', what: 'draw' }, actions: { white: ['decline'], black: ['draw', 'decline'] } }),
} as const;

describe('joining', () => {
  test('the seat is named on the game’s own socket, and the state is taken over', () => {
    const ours = room();
    expect(Wire.last.url).toBe('wss://riga.test/api/games/abc/socket');
    expect(ours.connection).toBe('connecting');
    Wire.last.join({}, ['black']);
    expect(Wire.last.said).toEqual([{ type: 'join', seat: 'secret', unhurried: true }]);
    expect(ours.connection).toBe('open');
    expect(ours.game?.id).toBe('abc');
    expect(ours.sides).toEqual(['black']);
  });

  test('who has no seat says so', () => {
    new Room('abc', undefined);
    Wire.last.open();
    expect(Wire.last.said).toEqual([{ type: 'join', seat: null, unhurried: true }]);
  });

  test('who is refused does not try again', () => {
    const ours = room();
    Wire.last.open();
    Wire.last.tell({ type: '/problems/not-found', title: 'No such game', status: 404, detail: 'no game `abc`' });
    Wire.last.close();
    vi.advanceTimersByTime(60_000);
    expect(ours.connection).toBe('refused');
    expect(Wire.all).toHaveLength(1);
  });

  test('a room that was closed stays closed', () => {
    const ours = room();
    Wire.last.join();
    ours.close();
    vi.advanceTimersByTime(60_000);
    expect(Wire.all).toHaveLength(1);
  });

  test('a room that is closed while it waits to connect stays closed', () => {
    const ours = room();
    Wire.last.close();
    ours.close();
    vi.advanceTimersByTime(60_000);
    expect(Wire.all).toHaveLength(1);
  });
});

describe('a lost connection', () => {
  test('comes back at once, then more and more slowly, and at once again after a success', () => {
    room();
    Wire.last.join();
    const waits = [0, 250, 500, 1000, 2000, 4000, 8000, 8000];
    for (const [index, wait] of waits.entries()) {
      Wire.last.close();
      vi.advanceTimersByTime(Math.max(0, wait - 1));
      expect(Wire.all, `before ${wait} ms`).toHaveLength(index + (wait === 0 ? 2 : 1));
      vi.advanceTimersByTime(1);
      expect(Wire.all, `after ${wait} ms`).toHaveLength(index + 2);
    }
    Wire.last.join();
    Wire.last.close();
    vi.advanceTimersByTime(0);
    expect(Wire.all).toHaveLength(waits.length + 2);
  });

  test('is shown until the server has told the game', () => {
    const ours = room();
    Wire.last.join();
    Wire.last.close();
    expect(ours.connection).toBe('lost');
    vi.advanceTimersByTime(0);
    Wire.last.open();
    expect(ours.connection).toBe('lost');
    Wire.last.tell({ type: 'state', game: game(), sides: [], present: [], spectators: 0 });
    expect(ours.connection).toBe('open');
  });

  test('a move that was not answered is said once more, with the same ply and id', () => {
    const ours = room();
    Wire.last.join({ moves: [played('e4'), played('e5')] });
    ours.play('g1f3');
    const said = Wire.last.sayings;
    expect(said).toEqual([{ type: 'play', ply: 2, move: 'g1f3', id: 1 }]);
    Wire.last.close();
    vi.advanceTimersByTime(0);
    // The move had arrived: the game is one move longer by now.
    Wire.last.join({ moves: [played('e4'), played('e5'), played('Nf3', 'g1f3')], version: 2 });
    expect(Wire.last.sayings).toEqual(said);
    Wire.last.tell({ type: 'done', id: 1, version: 2 });
    Wire.last.close();
    vi.advanceTimersByTime(0);
    Wire.last.join({ version: 2 });
    expect(Wire.last.sayings).toEqual([]);
  });

  test('what was said without a connection is said when there is one, but not before the state', () => {
    const ours = room();
    Wire.last.join();
    Wire.last.close();
    ours.play('e2e4');
    vi.advanceTimersByTime(0);
    Wire.last.open();
    expect(Wire.last.sayings).toEqual([]);
    Wire.last.tell({ type: 'state', game: game(), sides: ['white'], present: [], spectators: 0 });
    expect(Wire.last.sayings).toEqual([{ type: 'play', ply: 0, move: 'e2e4', id: 1 }]);
  });

  test('what was refused is not said again', () => {
    const refused = vi.fn();
    const ours = room({ refused });
    Wire.last.join();
    ours.play('e2e5');
    Wire.last.tell({ type: 'refused', id: 1, reason: 'illegal_move', detail: 'no' });
    expect(refused).toHaveBeenCalledOnce();
    Wire.last.close();
    vi.advanceTimersByTime(0);
    Wire.last.join();
    expect(Wire.last.sayings).toEqual([]);
  });

  test('a move is not taken back twice because an answer was lost', () => {
    const ours = room();
    Wire.last.join();
    ours.say({ type: 'offer', what: 'take_back' });
    expect(Wire.last.sayings).toHaveLength(1);
    Wire.last.close();
    vi.advanceTimersByTime(0);
    Wire.last.join();
    expect(Wire.last.sayings).toEqual([]);
  });

  test('nothing is said again in a game that has ended meanwhile, and the end is heard', () => {
    const ended = vi.fn();
    const ours = room({ ended });
    Wire.last.join();
    ours.say({ type: 'resign' });
    Wire.last.close();
    vi.advanceTimersByTime(0);
    Wire.last.join({ status: 'finished', version: 2 });
    expect(Wire.last.sayings).toEqual([]);
    expect(ended).toHaveBeenCalledOnce();
  });

  test('a state on the same connection makes nothing be said again', () => {
    const ours = room();
    Wire.last.join();
    ours.play('e2e4');
    Wire.last.tell({ type: 'state', game: game(), sides: ['white'], present: [], spectators: 0 });
    expect(Wire.last.sayings).toHaveLength(1);
  });

  test('a game that was over when we came is no news', () => {
    const ended = vi.fn();
    room({ ended });
    Wire.last.join({ status: 'finished' });
    expect(ended).not.toHaveBeenCalled();
  });
});

describe('a server that may have gone', () => {
  const ALIVE = 8000;

  test('is asked with a number, as the protocol wants it', () => {
    room();
    Wire.last.join();
    vi.advanceTimersByTime(ALIVE);
    expect(Wire.last.sayings).toEqual([{ type: 'ping', id: 1 }]);
  });

  test('and answers keeps its connection', () => {
    room();
    Wire.last.join();
    for (let id = 1; id < 5; id++) {
      vi.advanceTimersByTime(ALIVE);
      Wire.last.tell({ type: 'pong', id });
    }
    expect(Wire.all).toHaveLength(1);
  });

  test('and does not answer is given up, and a move that it has not heard is said to the next one', () => {
    const ours = room();
    Wire.last.join();
    vi.advanceTimersByTime(ALIVE);
    ours.play('e2e4');
    vi.advanceTimersByTime(ALIVE);
    expect(ours.connection).toBe('lost');
    vi.advanceTimersByTime(1);
    expect(Wire.all).toHaveLength(2);
    Wire.last.join();
    expect(Wire.last.sayings).toEqual([{ type: 'play', ply: 0, move: 'e2e4', id: 2 }]);
  });

  test('is not asked once the room is closed', () => {
    const ours = room();
    Wire.last.join();
    ours.close();
    vi.advanceTimersByTime(10 * ALIVE);
    expect(vi.getTimerCount()).toBe(0);
    expect(Wire.last.sayings).toEqual([]);
  });

  test('is tried at once when the network is back', () => {
    const ours = room();
    for (let attempt = 0; attempt < 6; attempt++) {
      Wire.last.close();
      vi.runOnlyPendingTimers();
    }
    Wire.last.close();
    const before = Wire.all.length;
    ours.retry();
    vi.advanceTimersByTime(0);
    expect(Wire.all).toHaveLength(before + 1);
  });

  test('is not left because of what an old connection says late', () => {
    const ours = room();
    Wire.last.join();
    const old = Wire.last;
    ours.drop();
    vi.advanceTimersByTime(0);
    Wire.last.join({ version: 5 });
    old.tell(told(2));
    old.onclose?.();
    expect([ours.connection, ours.game?.version, Wire.all.length]).toEqual(['open', 5, 2]);
  });
});

describe('a change', () => {
  test('that follows the last one is made and heard', () => {
    const heard = { played: vi.fn(), ended: vi.fn() };
    const ours = room(heard);
    Wire.last.join();
    Wire.last.tell(told(2));
    expect(ours.game).toMatchObject({ version: 2, position: { turn: 'black' } });
    expect(ours.game?.moves).toHaveLength(1);
    expect(heard.played).toHaveBeenCalledOnce();
    expect(heard.ended).not.toHaveBeenCalled();
  });

  test.each([1, 3])('that does not follow (version %i after 1) is not made, and a new connection tells all', (version) => {
    const heard = { played: vi.fn() };
    const ours = room(heard);
    Wire.last.join();
    Wire.last.tell(told(version));
    expect(ours.game).toMatchObject({ version: 1, moves: [] });
    expect(heard.played).not.toHaveBeenCalled();
    vi.advanceTimersByTime(0);
    expect(Wire.all).toHaveLength(2);
    Wire.last.join({ version: 3, moves: [played('e4'), played('e5')] });
    Wire.last.tell(told(4));
    expect(Wire.all).toHaveLength(2);
    expect(ours.game?.moves).toHaveLength(3);
  });

  test('by a move that ends the game ends it', () => {
    const ended = vi.fn();
    const ours = room({ ended });
    Wire.last.join();
    Wire.last.tell(told(2, { outcome: { ending: 'checkmate', text: 'White wins by checkmate', winner: 'white' } }));
    expect(ours.game).toMatchObject({ status: 'finished', outcome: { winner: 'white' } });
    expect(ended).toHaveBeenCalledOnce();
  });

  test('brings the offer that stands, what each side may do and whether the game is rated', () => {
    const ours = room();
    Wire.last.join({ offer: { by: 'black', what: 'draw' }, rated: true });
    Wire.last.tell(told(2, { standing: standing({ rated: true }) }));
    expect(ours.game).toMatchObject({ offer: null, rated: true });
    Wire.last.tell({ type: 'offered', version: 3, ...WHITE_OFFERS });
    expect(ours.game?.offer).toEqual({ by: 'white', what: 'draw' });
    Wire.last.tell(told(4, { standing: WHITE_OFFERS.standing }));
    expect(ours.game).toMatchObject({ offer: { by: 'white', what: 'draw' }, rated: false, actions: WHITE_OFFERS.standing.actions });
  });

  test('says what we may do, which is what one of our sides may', () => {
    const actions = { white: ['resign', 'take_back'], black: ['draw', 'resign'] } satisfies Schemas['Actions'];
    for (const [sides, may] of [
      [['white'], ['take_back', 'resign']],
      [['black'], ['draw', 'resign']],
      [['white', 'black'], ['draw', 'take_back', 'resign']],
      [[], []],
    ] as [Side[], Schemas['Action'][]][]) {
      const ours = room();
      Wire.last.join({ actions }, sides);
      const all: Schemas['Action'][] = ['draw', 'take_back', 'decline', 'claim_draw', 'resign', 'rematch'];
      expect(all.filter((action) => ours.may(action))).toEqual(may);
    }
  });

  test('that takes moves back shortens the game', () => {
    const ours = room();
    Wire.last.join({ moves: [played('e4'), played('e5'), played('Nf3')], offer: { by: 'white', what: 'take_back' } });
    Wire.last.tell({ type: 'took_back', version: 2, plies: 1, position: position('black'), standing: standing() });
    expect(ours.game?.moves.map((move) => move.san)).toEqual(['e4']);
    expect(ours.game?.offer).toBeNull();
  });

  test('that seats a friend begins the game', () => {
    const ours = room();
    Wire.last.join({ status: 'waiting', black: { name: '?' } });
    Wire.last.tell({ type: 'seated', version: 2, white: { name: 'Mikhail' }, black: { name: 'Garry' }, standing: standing() });
    expect(ours.game).toMatchObject({ status: 'live', black: { name: 'Garry' } });
  });

  test('by resignation or time ends the game and all offers', () => {
    const ended = vi.fn();
    const ours = room({ ended });
    Wire.last.join({ offer: { by: 'black', what: 'draw' } });
    Wire.last.tell({ type: 'ended', version: 2, outcome: { ending: 'resignation', text: 'Black resigns', winner: 'white' }, standing: standing() });
    expect(ours.game).toMatchObject({ status: 'finished', offer: null });
    expect(ended).toHaveBeenCalledOnce();
  });

  test('`done` is an answer and no change', () => {
    const ours = room();
    Wire.last.join();
    Wire.last.tell({ type: 'done', id: 1, version: 7 });
    expect(ours.game?.version).toBe(1);
    expect(Wire.all).toHaveLength(1);
  });
});

describe('clocks', () => {
  const clock = { white: 60_000, black: 50_000, running: 'white' } as const;

  test('the one that runs has less with time, the other doesn’t', () => {
    const ours = room();
    Wire.last.join({ clock });
    vi.advanceTimersByTime(1500);
    expect(ours.left('white', performance.now())).toBeCloseTo(58_500);
    expect(ours.left('black', performance.now())).toBe(50_000);
  });

  test('nobody has less than nothing', () => {
    const ours = room();
    Wire.last.join({ clock });
    vi.advanceTimersByTime(70_000);
    expect(ours.left('white', performance.now())).toBe(0);
  });

  test('before the first move none runs', () => {
    const ours = room();
    Wire.last.join({ clock: { white: 60_000, black: 60_000, running: null } });
    vi.advanceTimersByTime(5000);
    expect(ours.left('white', performance.now())).toBe(60_000);
  });

  test('each move and each pong tells them again', () => {
    const ours = room();
    Wire.last.join({ clock });
    vi.advanceTimersByTime(2000);
    Wire.last.tell(told(2, { clock: { white: 59_000, black: 50_000, running: 'black' } }));
    vi.advanceTimersByTime(1000);
    expect(ours.left('white', performance.now())).toBe(59_000);
    expect(ours.left('black', performance.now())).toBeCloseTo(49_000);
    Wire.last.tell({ type: 'pong', id: 9, clock: { white: 59_000, black: 48_700, running: 'black' } });
    expect(ours.left('black', performance.now())).toBe(48_700);
  });

  test('a game without clocks has none', () => {
    const ours = room();
    Wire.last.join();
    expect(ours.left('white', performance.now())).toBeUndefined();
  });
});

test('who is there, what the engine thinks, and rematches are told', () => {
  const rematch = vi.fn();
  const ours = room({ rematch });
  Wire.last.join();
  Wire.last.tell({ type: 'present', present: ['white', 'black'], spectators: 3 });
  expect([ours.present, ours.spectators]).toEqual([['white', 'black'], 3]);
  const line = { score: { cp: 31 } } as Schemas['AnalysedLine'];
  Wire.last.tell({ type: 'thinking', thoughts: { done: false, fen: '', lines: [line] } });
  Wire.last.tell(told(2));
  expect(ours.score).toEqual({ cp: 31 });
  Wire.last.tell({ type: 'rematch_offered', by: 'black' });
  expect(ours.rematchBy).toBe('black');
  Wire.last.tell({ type: 'rematch', game: 'def' });
  expect(rematch).toHaveBeenCalledExactlyOnceWith('def');
});

describe('a premove', () => {
  const premoves = (wire: Wire) => wire.sayings.filter(({ type }) => type === 'premove');

  test('is said again on the next connection', () => {
    const black = room();
    Wire.last.join({}, ['black']);
    black.premove('e7e5');
    Wire.last.close();
    vi.advanceTimersByTime(0);
    Wire.last.join({}, ['black']);
    expect(premoves(Wire.last)).toMatchObject([{ ply: 1, move: 'e7e5' }]);
  });

  test('is played if its moment came meanwhile; that it is not possible then is nobody’s mistake', () => {
    const refused = vi.fn();
    const black = room({ refused });
    Wire.last.join({}, ['black']);
    black.premove('e7e5');
    Wire.last.close();
    vi.advanceTimersByTime(0);
    Wire.last.join({ moves: [played('e4', 'e2e4')], position: position('black') }, ['black']);
    const [again] = Wire.last.sayings;
    expect(again).toMatchObject({ type: 'play', ply: 1, move: 'e7e5' });
    Wire.last.tell({ type: 'refused', id: Number(again?.['id']), reason: 'illegal_move', detail: '' });
    expect(refused).not.toHaveBeenCalled();
  });

  test('counts a move of ours that is on its way', () => {
    const white = room();
    Wire.last.join();
    white.play('e2e4');
    white.premove('d2d4');
    expect(premoves(Wire.last)).toMatchObject([{ ply: 2, move: 'd2d4' }]);
    // Both are resent and are consistent.
    Wire.last.close();
    vi.advanceTimersByTime(0);
    Wire.last.join();
    expect(Wire.last.sayings).toMatchObject([
      { type: 'play', ply: 0 },
      { type: 'premove', ply: 2, move: 'd2d4' },
    ]);
  });

  test('that is refused, or whose game has ended, is not shown any more', () => {
    const black = room();
    Wire.last.join({}, ['black']);
    black.premove('e7e5');
    expect(black.premoved?.move).toBe('e7e5');
    const [said] = premoves(Wire.last);
    Wire.last.tell({ type: 'refused', id: Number(said?.['id']), reason: 'wrong_ply', detail: '' });
    expect(black.premoved).toBeUndefined();
    black.premove('e7e5');
    Wire.last.tell({ type: 'ended', version: 2, outcome: { ending: 'resignation', winner: 'black', text: '' }, standing: standing() });
    expect(black.premoved).toBeUndefined();
  });

  test('that was taken back, or has had its moment, is forgotten', () => {
    const black = room();
    Wire.last.join({}, ['black']);
    black.premove('e7e5');
    black.premove(undefined);
    Wire.last.close();
    vi.advanceTimersByTime(0);
    Wire.last.join({}, ['black']);
    expect(Wire.last.sayings).toEqual([]);
    black.premove('e7e5');
    Wire.last.tell(told(2));
    Wire.last.close();
    vi.advanceTimersByTime(0);
    Wire.last.join({ moves: [played('e4', 'e2e4')], version: 2 }, ['black']);
    expect(Wire.last.sayings).toEqual([]);
  });
});

test('who listens hears, and who listened before hears again afterwards', () => {
  const [first, second] = [vi.fn(), vi.fn()];
  const mine = room({ played: first });
  Wire.last.join();
  const end = mine.listen({ played: second });
  Wire.last.tell(told(2));
  end();
  Wire.last.tell(told(3));
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
});

test('a seat that was taken is named at once', () => {
  const mine = room({}, undefined);
  Wire.last.join({ status: 'waiting' }, []);
  mine.sit('own');
  vi.advanceTimersByTime(0);
  Wire.last.open();
  expect(Wire.last.said).toEqual([{ type: 'join', seat: 'own', unhurried: true }]);
});

test('a declined offer is told, one’s own withdrawal is not', () => {
  const declined = vi.fn();
  const mine = room({ declined });
  Wire.last.join({ offer: { by: 'white', what: 'draw' } });
  Wire.last.tell({ type: 'offered', version: 2, standing: standing() });
  expect(declined).toHaveBeenCalledTimes(1);
  Wire.last.tell({ type: 'offered', version: 3, ...WHITE_OFFERS });
  mine.say({ type: 'decline' });
  Wire.last.tell({ type: 'offered', version: 4, standing: standing() });
  expect(declined).toHaveBeenCalledTimes(1);
});

test('a server that can’t let us in just now is asked again, one that never will is not', () => {
  const problem = (status: number) => ({ type: '/problems/x', title: '', detail: '', status });
  const mine = room();
  Wire.last.open().tell(problem(503));
  expect(mine.connection).toBe('lost');
  vi.advanceTimersByTime(0);
  Wire.last.open().tell(problem(404));
  expect(mine.connection).toBe('refused');
});

test('a rematch that was agreed on is known, and a wish for one ends with the connection', () => {
  const mine = room();
  Wire.last.join({ status: 'finished' });
  mine.askRematch();
  expect(mine.rematchAsked).toBe(true);
  Wire.last.close();
  vi.advanceTimersByTime(0);
  Wire.last.join({ status: 'finished' });
  expect(mine.rematchAsked).toBe(false);
  Wire.last.tell({ type: 'rematch', game: 'next' });
  expect(mine.game?.rematch).toBe('next');
});

test('a move taken back ends the rating', () => {
  const tookBack = vi.fn();
  const mine = room({ tookBack });
  Wire.last.join({ rated: true, moves: [played('e4')], version: 2 });
  Wire.last.tell({ type: 'took_back', version: 3, plies: 0, position: position(), standing: standing() });
  expect(mine.game?.rated).toBe(false);
  expect(tookBack).toHaveBeenCalledExactlyOnceWith(true);
});

describe('before both sides have moved', () => {
  test('giving up aborts the game, and the server’s state says that nobody has won', () => {
    const ended = vi.fn();
    const mine = room({ ended });
    Wire.last.join({ actions: { white: ['resign', 'abort'], black: ['resign', 'abort'] } });
    mine.giveUp();
    expect(Wire.last.sayings).toMatchObject([{ type: 'abort' }]);
    Wire.last.tell({ type: 'state', game: game({ status: 'finished', version: 2 }), sides: ['white'], present: [], spectators: 0 });
    expect(ended).toHaveBeenCalledOnce();
    expect(mine.game?.outcome).toBeUndefined();
  });

  test('later, giving up resigns it', () => {
    const mine = room();
    Wire.last.join({ actions: { white: ['resign'], black: ['resign'] } });
    mine.giveUp();
    expect(Wire.last.sayings).toMatchObject([{ type: 'resign' }]);
  });
});

test('a premove that is refused is nobody’s mistake', () => {
  const refused = vi.fn();
  const black = room({ refused });
  Wire.last.join({}, ['black']);
  black.premove('e7e5');
  const [said] = Wire.last.sayings;
  // White's move was faster, and made the premove illegal.
  Wire.last.tell(told(2));
  Wire.last.tell({ type: 'refused', id: Number(said?.['id']), reason: 'illegal_move', detail: '' });
  expect(refused).not.toHaveBeenCalled();
});

describe('a rematch', () => {
  const over = { status: 'finished' as const };

  test('that we asked for is declined: it is said, and can be asked for again', () => {
    const declined = vi.fn();
    const mine = room({ declined });
    Wire.last.join(over);
    mine.askRematch();
    Wire.last.tell({ type: 'rematch_declined' });
    expect(declined).toHaveBeenCalledOnce();
    expect(mine.rematchAsked).toBe(false);
  });

  test('that we decline is not offered any more, and nothing is said about it', () => {
    const declined = vi.fn();
    const mine = room({ declined });
    Wire.last.join(over);
    Wire.last.tell({ type: 'rematch_offered', by: 'black' });
    mine.declineRematch();
    Wire.last.tell({ type: 'rematch_declined' });
    expect(Wire.last.sayings).toMatchObject([{ type: 'decline' }]);
    expect(mine.rematchBy).toBeUndefined();
    expect(declined).not.toHaveBeenCalled();
  });
});

test('a seat that the server does not know is stale; without one we just watch', () => {
  const mine = room();
  Wire.last.join({}, ['white']);
  expect(mine.seatIsStale).toBe(false);
  Wire.last.tell({ type: 'state', game: game(), sides: [], present: [], spectators: 1 });
  expect(mine.seatIsStale).toBe(true);
  const watching = new Room('abc', undefined);
  Wire.last.join({}, []);
  expect(watching.seatIsStale).toBe(false);
  watching.close();
});
