// A live game: its state as reported by the server, and our messages that are not acknowledged yet.
//
// The connection is restored automatically. On every reconnect the server sends the whole game, and unacknowledged
// messages are sent again: a move that had already arrived is acknowledged, not played twice.

import { call, ProblemError, type GameView, type Schemas, type Side } from './api';
import { Line } from './line';

type ClientMessage = Schemas['ClientMessage'];
type ServerMessage = Schemas['ServerMessage'];
type Refusal = Extract<ServerMessage, { type: 'refused' }>;

/** Each kind of message, without its id. */
type Saying = ClientMessage extends infer M ? (M extends { id: number } ? Omit<M, 'id'> : never) : never;

export type Connection = 'connecting' | 'open' | 'lost' | 'refused';

/** Heartbeat interval, in milliseconds. */
const ALIVE = 8000;

/** Messages that are safe to resend: a second takeback offer, in contrast, would take back a second move. */
const REPEATED: ClientMessage['type'][] = ['play', 'resign', 'abort'];

export interface Heard {
  /** We have joined, for the first time or again. */
  joined?: () => void;
  /** The game doesn't exist, or we may not see it. */
  gone?: () => void;
  /** A move was played by either side. */
  played?: (message: Extract<ServerMessage, { type: 'played' }>) => void;
  /** Moves were taken back, which may have made a rated game unrated. */
  tookBack?: (unrated: boolean) => void;
  /** Our offer was declined. */
  declined?: () => void;
  /** The game ended, by a move or otherwise. */
  ended?: () => void;
  /** The server refused a message. */
  refused?: (message: Refusal) => void;
  /** A rematch was agreed on. */
  rematch?: (game: string) => void;
}

export class Room {
  game = $state<GameView>();
  sides = $state<Side[]>([]);
  present = $state<Side[]>([]);
  spectators = $state(0);
  /** The engine's latest lines. */
  score = $state<Schemas['Score']>();
  connection = $state<Connection>('connecting');
  rematchBy = $state<Side>();
  /** Whether we have asked for a rematch. */
  rematchAsked = $state(false);
  /** Our premove. The server forgets it when the connection ends. */
  premoved = $state<{ ply: number; move: string; id: number }>();
  /** When the clocks of `game` were received, by the local clock. */
  clockAt = $state(0);

  #line: Line;
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- not rendered
  #waiting = new Map<number, ClientMessage>();
  /** Messages whose refusal is not reported: a premove that has become illegal is no mistake. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- not rendered
  #quiet = new Set<number>();
  /** Whether we declined or withdrew the current offer. */
  #withdrawn = false;
  #nextId = 1;
  #alive: ReturnType<typeof setInterval>;
  /** Whether a ping is unanswered. */
  #silent = false;
  #closed = false;
  #seat: string | undefined;
  #heard: Heard;

  constructor(
    readonly id: string,
    seat: string | undefined,
    heard: Heard = {},
  ) {
    this.#seat = seat;
    this.#heard = heard;
    this.#line = new Line(`/api/games/${id}/socket`, {
      open: () => this.#line.send({ type: 'join', seat: this.#seat ?? null } satisfies ClientMessage),
      heard: (message) => {
        this.#silent = false;
        this.#hear(message as ServerMessage | Schemas['Problem']);
      },
      lost: (attempts) => this.#lost(attempts),
    });
    this.#alive = setInterval(() => this.#ask(), ALIVE);
  }

  /** Subscribes to the game's events; returns the function to unsubscribe. */
  listen(heard: Heard): () => void {
    const before = this.#heard;
    this.#heard = heard;
    return () => {
      if (this.#heard === heard) this.#heard = before;
    };
  }

  /** Takes a seat, or gives it up, and rejoins at once. */
  sit(seat: string | undefined): void {
    this.#seat = seat;
    this.#line.retry();
    this.connection = 'connecting';
  }

  /** Sends a message; moves and the like are resent if the connection breaks before the acknowledgement. */
  say(saying: Saying): number {
    const id = this.#nextId++;
    const message = { ...saying, id } as ClientMessage;
    if (message.type === 'decline') this.#withdrawn = true;
    if (REPEATED.includes(message.type)) this.#waiting.set(id, message);
    this.#send(message);
    return id;
  }

  /** Plays a move in the current position. */
  play(move: string): number {
    return this.say({ type: 'play', ply: this.game?.moves.length ?? 0, move });
  }

  /** Sets a premove; undefined cancels it. */
  premove(move: string | undefined): void {
    const ply = this.#plies() + 1;
    const id = this.say({ type: 'premove', ply, move: move ?? null });
    this.#quiet.add(id);
    this.premoved = move === undefined ? undefined : { ply, move, id };
  }

  /** The number of plies, including our own move in flight. */
  #plies(): number {
    const plies = this.game?.moves.length ?? 0;
    const under = [...this.#waiting.values()].some((message) => message.type === 'play' && message.ply === plies);
    return plies + (under ? 1 : 0);
  }

  askRematch(): void {
    this.rematchAsked = true;
    this.say({ type: 'rematch' });
  }

  /** Declines a rematch, or withdraws our own offer. */
  declineRematch(): void {
    [this.rematchAsked, this.rematchBy] = [false, undefined];
    this.say({ type: 'decline' });
  }

  /** Whether the server doesn't know our seat's secret, so that we only watch. */
  get seatIsStale(): boolean {
    return this.game !== undefined && this.#seat !== undefined && this.sides.length === 0;
  }

  /** Ends the game without playing on: aborts it if that is possible, resigns otherwise. */
  giveUp(): void {
    this.say({ type: this.may('abort') ? 'abort' : 'resign' });
  }

  /** Whether the server allows us an action besides moving. */
  may(action: Schemas['Action']): boolean {
    const actions = this.game?.actions;
    return actions !== undefined && this.sides.some((side) => actions[side].includes(action));
  }

  /** A side's remaining time now, in milliseconds. */
  left(side: Side, now: number): number | undefined {
    const clock = this.game?.clock;
    if (!clock) return undefined;
    const left = clock[side];
    return clock.running === side ? Math.max(0, left - (now - this.clockAt)) : left;
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#alive);
    this.#line.close();
  }

  /** The network is down: drop the connection, even if it hasn't noticed. */
  drop(): void {
    this.#line.drop();
  }

  /** The network is back: don't wait for the backoff. */
  retry(): void {
    if (this.connection === 'lost') this.#line.retry();
  }

  #lost(attempts: number): void {
    this.connection = 'lost';
    this.#silent = false;
    if (attempts > 0) void this.#check();
  }

  /** A game that doesn't exist or isn't ours has no socket to report it on: ask over HTTP. */
  async #check(): Promise<void> {
    try {
      await call('GET', `/api/games/${this.id}`, undefined, this.#seat);
    } catch (error) {
      if (this.#closed || !(error instanceof ProblemError) || ![400, 403, 404].includes(error.problem.status)) return;
      this.#refused();
    }
  }

  #refused(): void {
    this.connection = 'refused';
    this.close();
    this.#heard.gone?.();
  }

  /** A connection can die silently; a missing pong reveals it. */
  #ask(): void {
    if (this.#silent) return this.drop();
    if (!this.#line.open) return;
    this.#silent = true;
    this.#send({ type: 'ping', id: this.#nextId++ });
  }

  #send(message: ClientMessage): void {
    if (this.connection === 'open') this.#line.send(message);
  }

  /** Resends what the last connection lost. */
  #sayAgain(): void {
    for (const waiting of this.#waiting.values()) this.#send(waiting);
    const wanted = this.premoved;
    if (!wanted) return;
    this.premoved = undefined;
    if (wanted.ply === this.#plies() + 1) this.premove(wanted.move);
    else if (wanted.ply === this.game?.moves.length) this.#quiet.add(this.play(wanted.move));
  }

  #hear(message: ServerMessage | Schemas['Problem']): void {
    if ('status' in message && !('game' in message)) {
      // A stopping server or a closing room may accept us next time.
      if ([403, 404].includes(message.status)) this.#refused();
      else this.#line.drop();
      return;
    }
    const told = message as ServerMessage;
    switch (told.type) {
      case 'state': {
        // A state can arrive at any time; resend only what a previous connection lost.
        const reconnected = this.connection !== 'open';
        const ended = this.game?.status === 'live' && told.game.status === 'finished';
        this.game = told.game;
        this.sides = told.sides;
        this.present = told.present;
        this.spectators = told.spectators;
        this.clockAt = performance.now();
        this.connection = 'open';
        this.#line.settled();
        if (told.game.status === 'finished') {
          this.#waiting.clear();
          this.premoved = undefined;
        }
        if (reconnected) {
          // Requests from a previous connection were lost, or come back in the new state.
          [this.rematchAsked, this.rematchBy, this.#withdrawn] = [false, undefined, false];
          this.#sayAgain();
          this.#heard.joined?.();
        }
        if (ended) this.#heard.ended?.();
        break;
      }
      case 'done':
        this.#waiting.delete(told.id);
        this.#quiet.delete(told.id);
        break;
      case 'refused':
        if (told.id != null) this.#waiting.delete(told.id);
        if (told.id === this.premoved?.id) this.premoved = undefined;
        if (told.id == null || !this.#quiet.delete(told.id)) this.#heard.refused?.(told);
        break;
      case 'present':
        this.present = told.present;
        this.spectators = told.spectators;
        break;
      case 'thinking':
        this.score = told.thoughts.lines[0]?.score ?? this.score;
        break;
      case 'rematch_offered':
        this.rematchBy = told.by;
        break;
      case 'rematch_declined':
        this.rematchBy = undefined;
        if (this.rematchAsked) this.#heard.declined?.();
        this.rematchAsked = false;
        break;
      case 'rematch':
        if (this.game) this.game.rematch = told.game;
        this.#heard.rematch?.(told.game);
        break;
      case 'closing':
      case 'premoved':
        break;
      case 'pong':
        this.#setClock(told.clock);
        break;
      default:
        this.#change(told);
    }
  }

  /** Applies a change, which must directly follow the last version. */
  #change(told: Extract<ServerMessage, { version: number }>): void {
    const game = this.game;
    if (!game || told.type === 'done') return;
    if (told.version !== game.version + 1) {
      // A change is missing: reconnect to get the whole state.
      this.#line.drop();
      return;
    }
    game.version = told.version;
    const before = { offer: game.offer, rated: game.rated };
    game.offer = told.standing.offer ?? null;
    game.rated = told.standing.rated;
    game.actions = told.standing.actions;
    switch (told.type) {
      case 'played':
        game.moves.push(told.played);
        game.position = told.position;
        game.opening = told.opening ?? null;
        this.#setClock(told.clock);
        if (this.premoved && this.premoved.ply <= game.moves.length) this.premoved = undefined;
        if (told.outcome) {
          game.outcome = told.outcome;
          game.status = 'finished';
        }
        this.#heard.played?.(told);
        if (told.outcome) this.#heard.ended?.();
        break;
      case 'took_back':
        game.moves.length = told.plies;
        game.position = told.position;
        game.opening = told.opening ?? null;
        this.premoved = undefined;
        this.#setClock(told.clock);
        this.#heard.tookBack?.(before.rated && !game.rated);
        break;
      case 'offered':
        if (!game.offer && before.offer && !this.#withdrawn && this.sides.length === 1 && this.sides[0] === before.offer.by) {
          this.#heard.declined?.();
        }
        this.#withdrawn = false;
        break;
      case 'seated':
        game.white = told.white;
        game.black = told.black;
        game.status = 'live';
        game.open = null;
        break;
      case 'ended':
        game.outcome = told.outcome;
        game.status = 'finished';
        this.premoved = undefined;
        this.#setClock(told.clock);
        this.#heard.ended?.();
        break;
    }
  }

  #setClock(clock: Schemas['ClockView'] | null | undefined): void {
    if (this.game) this.game.clock = clock ?? null;
    this.clockAt = performance.now();
  }
}
