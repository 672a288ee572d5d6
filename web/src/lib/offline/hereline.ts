// The line to a game in this browser: the messages of a game's socket, answered by the core module. Every change is on
// disk before it is told.

import { Unreachable, type Schemas, type Side } from '../api';
import { boards } from '../boards';
import type { Core, CoreCalls } from '../core';
import type { Ends, Line } from '../line';
import { session } from '../session.svelte';
import { settings } from '../settings.svelte';
import { useEngine, type Engine } from '../../wasm/engine';
import { startHere } from './here';
import { belongsTo, find, put, type Kept } from './shelf';

type Told = CoreCalls['say']['answer'];
type Think = NonNullable<Told['think']>;

/** Messages that come with a change of the game. */
const CHANGES: Schemas['ServerMessage']['type'][] = ['state', 'played', 'took_back', 'offered', 'ended'];

/** How long to wait for another tab before saying so, and before trying again, in milliseconds. */
const PATIENCE = 500;
const AGAIN = 2000;

/** How often a search is tried again, if the engine crashes or somebody else ends it. */
const TRIES = 3;

export class HereLine implements Line {
  open = false;
  #core: Core | undefined;
  #kept: Kept | undefined;
  /** The game's number in the core. */
  #game = 0;
  /** One thing after another. */
  #tail: Promise<void> = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What the engine is thinking about: after a takeback it may be the same ply again, but another position. */
  #thinking: Think | undefined;
  #engine: Engine | undefined;
  #closing = new AbortController();

  constructor(
    private readonly id: string,
    private readonly ends: Ends,
    /** Called if the game isn't here any more: the server has it, or nobody. */
    private readonly moved: () => void,
  ) {
    this.#take().then(
      () => this.#load(),
      () => undefined,
    );
  }

  send(message: object): void {
    this.#act(async (core, now) => core.call('say', { game: this.#game, message: message as Schemas['ClientMessage'], now }));
  }

  // There is no connection to lose.
  settled(): void {}
  drop(): void {}

  retry(): void {
    if (this.open) this.ends.open();
  }

  close(): void {
    this.#closing.abort();
    this.open = false;
    clearTimeout(this.#timer);
    this.#stop();
    void this.#core?.call('close_game', { game: this.#game });
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Takes the game, once no other tab has it. */
  #take(): Promise<void> {
    const { signal } = this.#closing;
    const waiting = setTimeout(() => this.#fail(), PATIENCE);
    return new Promise((resolve, reject) => {
      const held = () => {
        clearTimeout(waiting);
        resolve();
        return new Promise<void>((release) => signal.addEventListener('abort', () => release()));
      };
      navigator.locks.request(`riga-game-${this.id}`, { signal }, held).catch(reject);
    });
  }

  /** Continues the game that is on disk. */
  async #load(): Promise<void> {
    try {
      const [core, kept] = await Promise.all([boards(), find(this.id)]);
      await session.ready();
      if (!kept || !belongsTo(kept, session.me?.user?.id)) {
        this.moved();
        return;
      }
      if (!core.edits) throw new Unreachable();
      const { game, ...told } = await core.call('restore_game', { saved: kept.saved, now: Date.now() });
      if (this.#closed) {
        await core.call('close_game', { game });
        return;
      }
      [this.#core, this.#kept, this.#game, this.open] = [core, kept, game, true];
      this.ends.open();
      // The state comes with the answer to `join`.
      this.#act(() => Promise.resolve({ ...told, messages: told.messages.slice(1) }));
    } catch {
      this.#again();
    }
  }

  #fail(): void {
    if (!this.#closed) this.ends.lost(0);
  }

  /** Says that something is wrong, and tries again in a moment. */
  #again(): void {
    if (this.#closed) return;
    this.ends.lost(0);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#load(), AGAIN);
  }

  #act(act: (core: Core, now: number) => Promise<Told>): void {
    this.#tail = this.#tail.then(async () => {
      if (!this.#core || this.#closed) return;
      try {
        await this.#tell(await act(this.#core, Date.now()));
      } catch {
        // The change is not on disk: go back to what is.
        this.open = false;
        this.#core = undefined;
        this.#again();
      }
    });
  }

  async #tell({ messages, deadline, think }: Told): Promise<void> {
    if (messages.some(({ type }) => CHANGES.includes(type))) await this.#save();
    for (const message of messages) {
      if (message.type === 'took_back') this.#stop();
      this.ends.heard(message.type === 'rematch' ? { ...message, game: await this.#rematch() } : message);
    }
    clearTimeout(this.#timer);
    if (deadline != null) this.#timer = setTimeout(() => this.#tick(), Math.max(0, deadline - Date.now()) + 1);
    if (!think) this.#stop();
    else if (think.ply !== this.#thinking?.ply) void this.#think(think);
  }

  /** Nobody waits for the engine's move any more. */
  #stop(): void {
    if (this.#thinking) this.#engine?.stop();
    this.#thinking = undefined;
  }

  #tick(): void {
    this.#act((core, now) => core.call('tick', { game: this.#game, now }));
  }

  async #save(): Promise<void> {
    if (!this.#core || !this.#kept) return;
    const saved = await this.#core.call('save_game', { game: this.#game });
    this.#kept = { ...this.#kept, saved };
    await put(this.#kept);
    changed();
  }

  /** The same game again, with the other side. */
  #rematch(): Promise<string> {
    const wanted = this.#kept?.wanted;
    if (!wanted) throw new Unreachable();
    const side: Side = wanted.side === 'white' ? 'black' : 'white';
    return startHere({ ...wanted, side });
  }

  async #think(think: Think): Promise<void> {
    const { ply, ask, human_time } = think;
    const unhurried = new Promise((resolve) => setTimeout(resolve, settings.unhurried ? human_time : 0));
    this.#thinking = think;
    const isWanted = () => this.#thinking === think && !this.#closed;
    for (let tries = 0; tries < TRIES; tries++) {
      try {
        const engine = await useEngine();
        if (!engine) break;
        this.#engine = engine;
        const found = await engine.analyse(ask, (thoughts) => {
          if (isWanted()) this.ends.heard({ type: 'thinking', thoughts });
        });
        await unhurried;
        // Something else has happened meanwhile.
        if (!isWanted()) return;
        if (!found) continue;
        this.#thinking = undefined;
        const score = found.thoughts.lines[0]?.score ?? null;
        this.#act((core, now) => core.call('engine_moved', { game: this.#game, ply, move: found.best, score, now }));
        return;
      } catch {
        if (!isWanted()) return;
      }
    }
    this.#fail();
  }
}

let listener: (() => void) | undefined;

/** Calls back when a game in this browser has changed. */
export function onChanged(heard: () => void): void {
  listener = heard;
}

function changed(): void {
  listener?.();
}
