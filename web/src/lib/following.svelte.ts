// What follows the analysis board by itself: the engine, the evaluation graph, the explorer, and the kept copy. To be called
// while a component is set up.

import { untrack } from 'svelte';
import type { Searcher } from './analysis.svelte';
import { ProblemError, Unreachable, type Schemas } from './api';
import type { Desk } from './desk.svelte';
import { learn } from './known';
import { shelves } from './library.svelte';
import { asQuery } from './libraryfilter';
import { notices } from './notices.svelte';
import { forget, keep, openCollected, openGame, openKept, openText } from './opened';
import { preferences } from './preferences.svelte';
import { router } from './router.svelte';
import { session } from './session.svelte';
import { searcher } from './searcher';
import type { Written } from './study.svelte';
import { lineTo, type Tree } from './tree';

/** Nodes for the evaluation graph: per position, and for a whole game, so that the board doesn't wait for long. */
const GLANCE = 20_000;
const GLANCES = 1_500_000;
/** Longer games have no graph but that of their own evaluations. */
const LONGEST = 1200;
/** How long the user stays on a position before it is looked up, in milliseconds. */
const STAY = 150;

export function follow(desk: Desk): void {
  load(desk);
  choosePlace(desk);
  keepCopy(desk);
  analyse(desk);
  survey(desk);
  lookUp(desk);
}

/** Opens what the address asks for, and waits for the server if it is down. */
function load(desk: Desk): void {
  const { study, id } = desk;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let begun = false;

  const open = async (fen: string | null) => {
    const [collection, number] = [router.query.get('collection'), router.query.get('number')];
    if (collection && number) {
      await openCollected(study, collection, number, Number(router.query.get('ply')));
      router.go('/analysis', true);
      return;
    }
    if (fen) {
      await openText(study, fen);
      // From here on the board holds it, and its state is kept.
      router.go('/analysis', true);
      return;
    }
    if (id !== undefined && !session.me) await session.load();
    const before = study.number;
    const side = await openKept(study, id);
    if (side) desk.orientation = side;
    else if (id !== undefined) desk.orientation = await openGame(study, id);
    else if (study.number === before) await study.open();
  };

  const start = async (fen: string | null): Promise<void> => {
    try {
      await open(fen);
    } catch (error) {
      notices.fail(error);
      const later = error instanceof ProblemError && ![400, 403, 404, 422].includes(error.problem.status);
      if (later || error instanceof Unreachable) {
        retry = setTimeout(() => notices.watch(start(fen)), 2000);
        return;
      }
      if (fen) {
        router.go('/analysis', true);
        return start(null);
      }
      forget();
      await study.open();
    }
    desk.loaded = true;
  };

  $effect(() => {
    const fen = router.query.get('fen');
    if (begun && !fen) return;
    begun = true;
    untrack(() => notices.watch(start(fen)));
  });
  // A link to this page leaves the game on the board, and the address still names it.
  $effect(() => {
    const [{ page }, game] = [router.route, desk.id];
    if (page === 'analysis' && game !== undefined && window.location.pathname === '/analysis') router.rename(`/analysis/${game}`);
  });
  $effect(() => () => clearTimeout(retry));
}

/** What is on the board is there again after a reload. */
function keepCopy(desk: Desk): void {
  const { study } = desk;
  let written = $state.raw<Written>();
  const write = async (tree: Tree) => {
    const found = await study.written();
    if (tree === study.tree) written = found;
  };
  $effect(() => {
    if (desk.loaded && study.edits) notices.watch(write(study.tree));
  });
  $effect(() => {
    if (written) keep(study, written, desk.id, desk.orientation);
  });
}

/** The engine runs in this browser, if it can and should. */
function choosePlace(desk: Desk): void {
  const { engine } = desk;
  let local = $state.raw<Searcher>();
  let asked: Promise<Searcher | undefined> | undefined;
  $effect(() => {
    const { engine: on, place } = preferences;
    if (!on || (place === 'server' && desk.canRunHere !== undefined)) return;
    // The module and its network are loaded once they are needed.
    asked ??= searcher();
    void asked.then((found) => {
      local = found;
      desk.canRunHere = found !== undefined;
    });
  });
  $effect(() => {
    const [found, { place, hash }] = [local, preferences];
    untrack(() => {
      engine.use(place === 'browser' ? found : undefined);
      engine.setHash(hash);
    });
  });
}

function analyse(desk: Desk): void {
  const { study, engine } = desk;
  // As text, so that a comment or a dialog doesn't start the search again.
  const wanted = $derived.by(() => {
    const { current, tree, shown } = study;
    const off = isLoading(desk) || study.surveying || shown.moves.length === 0 || desk.dialog === 'editor';
    if (off || !preferences.engine) return undefined;
    const { rules } = tree;
    const position = desk.threatens
      ? { fen: passed(current.fen), moves: [], rules }
      : { ...lineTo(current), rules };
    const { limit, depth, nodes, lines } = preferences;
    const limits = { none: {}, depth: { depth }, nodes: { nodes: nodes * 1e6 } }[limit];
    return JSON.stringify({ position, lines, limits } satisfies Schemas['AnalysisRequest']);
  });
  $effect(() => {
    // Another hash size or place stops the engine.
    const [request] = [wanted, engine.place, preferences.hash];
    untrack(() => (request === undefined ? engine.stop() : engine.analyse(JSON.parse(request) as Schemas['AnalysisRequest'])));
  });
  $effect(() => {
    const { thoughts } = engine;
    const best = thoughts?.lines[0];
    if (best && thoughts.fen === study.current.fen) untrack(() => study.judge(thoughts.fen, best.score));
  });
}

/** Whether the board or the engine isn't there yet. */
function isLoading({ loaded, engine, canRunHere }: Desk): boolean {
  return !loaded || (preferences.place === 'browser' && engine.place === 'server' && canRunHere !== false);
}

/** The same position with the other side to move, to show its threat. */
function passed(fen: string): string {
  const fields = fen.split(' ');
  fields[1] = fields[1] === 'w' ? 'b' : 'w';
  fields[3] = '-';
  return fields.join(' ');
}

/** A glance at the positions of the line that have no score yet. */
function survey(desk: Desk): void {
  const { study, engine } = desk;
  $effect(() => {
    const { line } = desk;
    if (!preferences.engine) return study.leaveOff();
    const known = untrack(() => line.every((node) => node === study.current || study.scoreOf(node)));
    if (isLoading(desk) || line.length < 2 || line.length > LONGEST || known || untrack(() => study.surveying)) return;
    const nodes = Math.min(GLANCE, Math.round(GLANCES / line.length));
    const glance = () => study.survey(line, (position, signal) => engine.glance(position, nodes, signal));
    const timer = setTimeout(() => void glance(), STAY);
    return () => clearTimeout(timer);
  });
}

/** Looks up a position once the user stays on it. */
function lookUp(desk: Desk): void {
  const { study } = desk;
  $effect(() => {
    const [{ fen, opening }, { rules }, { me }, { source }] = [study.current, study.tree, session, preferences];
    const games = !showsGames() || source === 'book' ? undefined : source;
    // Another filter finds other games.
    void asQuery(shelves.filter).toString();
    desk.known = untrack(() => ({ ...desk.known, table: undefined }));
    if (!desk.loaded || !me) return;
    // Another position, or another source, is looked at meanwhile.
    let left = false;
    const timer = setTimeout(() => {
      void learn(fen, rules, { games, name: !opening && !study.edits }).then((found) => {
        if (!left) desk.known = found;
      });
    }, STAY);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  });
}

/** A public server shows guests no games. */
export function showsGames(): boolean {
  return session.me !== undefined && (session.me.user != null || !session.me.public);
}
