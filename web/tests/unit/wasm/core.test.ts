import { describe, expect, test } from 'vitest';
import { Crash, Door, Trouble, type CoreCalls } from '../../../src/wasm/door';
import { areBuilt, compiled } from './built';

const core = () => new Door<CoreCalls>(compiled('core.wasm'));

/** Nested variations, comments in every place, glyphs, clocks, evaluations, drawings, escapes. */
const RICH = `[Event "Näive \\"quotes\\" \\\\ und Umlaute"]
[Site "?"]
[Date "2026.11.16"]
[Round "1.2"]
[White "Tal, Mikhail"]
[Black "Botvinnik"]
[Result "1-0"]
[WhiteElo "?"]
[Annotator "♞ me"]

{ [%csl Gd4,Re5] Before the game } 1. e4 $1 $32 { [%eval 0.31,22] [%clk 1:59:58.7] [%emt 0:00:01.3] [%cal Ge2e4,Bd2d4] best by
test } 1... e5 $6 ( { instead } 1... c5 $5 { Sicilian } 2. Nf3 ( 2. c3 d5 ( 2... Nf6 $10
3. e5 ) 3. exd5 ) 2... d6 ) ( 1... e6 ) 2. Nf3 Nc6 3. Bb5 { [%eval #-12] } 1-0
`;

const CHESS960 = `[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "*"]
[SetUp "1"]
[FEN "nrbbqknr/pp1ppppp/8/2p5/4P3/3P4/PPP2PPP/NRBBQKNR w KQkq - 0 3"]
[Variant "Chess960"]

3. Nf3 Nf6 4. O-O { [%clk 0:00:09] } *
`;

describe.skipIf(!areBuilt)('the core module', () => {
  test('a PGN that was read and written is the same game', () => {
    const door = core();
    for (const pgn of [RICH, CHESS960]) {
      const { games, problems } = door.call('read', { pgn });
      expect(problems).toEqual([]);
      const [game] = games;
      if (!game) throw new Error('no game');
      expect(game.remarks).toEqual([]);
      const once = door.call('write', { study: game.study }).pgn;
      // Only line breaks may differ; commands come before the words of a comment.
      const words = (text: string) => text.replaceAll('( ', '(').replaceAll(' )', ')').split(/\s+/).join(' ');
      expect(words(once)).toBe(words(pgn));
      const again = door.call('read', { pgn: once }).games[0];
      expect(door.call('write', { study: again?.study ?? 0 }).pgn).toBe(once);
    }
  });

  test('a move is played, annotated and undone', () => {
    const door = core();
    const { study } = door.call('open', { moves: ['e4'] });
    expect(door.call('look', { study, node: 1 }).moves.map(({ san }) => san)).toContain('Nf6');
    const { node } = door.call('play', { study, node: 1, moves: ['g8f6'] });
    const { view } = door.call('annotate', { study, node, text: 'Alekhine', nags: [5], shapes: [{ brush: 'red', from: 'f6', to: 'e4' }] });
    const shown = view.nodes.find(({ id }) => id === node);
    expect(shown?.played?.san).toBe('Nf6');
    expect(shown?.signs).toEqual(['!?']);
    expect(shown?.opening?.name).toContain('Alekhine');
    expect(door.call('write', { study }).pgn).toContain('1. e4 Nf6 $5 { [%cal Rf6e4] Alekhine } *');
    expect(door.call('undo', { study, node }).view.nodes.at(-1)?.note).toBeNull();
  });

  test('an illegal move has a code that can be translated', () => {
    const door = core();
    const { study } = door.call('open', {});
    const play = () => door.call('play', { study, node: 0, moves: ['e5'] });
    expect(play).toThrow(Trouble);
    try {
      play();
    } catch (error) {
      expect((error as Trouble).trouble.fault?.code).toBe('illegal');
    }
  });

  test('a game against oneself is played to mate', () => {
    const door = core();
    const start = { id: 'a', game: { opponent: { type: 'here', name: 'B' }, rules: 'standard' }, chance: 0, now: 0 } as const;
    const { game } = door.call('start_game', start);
    const moves = ['f3', 'e5', 'g4', 'Qh4#'];
    const told = moves.map((move, ply) =>
      door.call('say', { game, message: { type: 'play', id: ply, ply, move }, now: ply * 1000 }),
    );
    const last = told.at(-1)?.messages[0];
    expect(last?.type === 'played' && last.outcome?.ending).toBe('checkmate');
    expect(door.call('write_game', { game }).pgn).toContain('2. g4 Qh4# 0-1');
  });

  test('after a crash it refuses to go on', () => {
    const door = core();
    expect(() => door.load(new Uint8Array(1), 1)).toThrow(Crash);
  });
});
