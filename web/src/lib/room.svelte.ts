// A live game: what the server has told of it, and what we have said that it has not answered yet.
//
// The connection comes back by itself. Each time it does the server tells the whole game, and what was not
// answered is said once more: a move that had arrived is acknowledged, not played twice.

import { call, ProblemError, type GameView, type Schemas, type Side } from './api';
import { Line } from './line';

type ClientMessage = Schemas['ClientMessage'];
type ServerMessage = Schemas['ServerMessage'];
type Refusal = Extract<ServerMessage, { type: 'refused' }>;

/** A message without its number, for each kind of message. */
type Saying = ClientMessage extends infer M ? (M extends { id: number } ? Omit<M, 'id'> : never) : never;

export type Connection = 'connecting' | 'open' | 'lost' | 'refused';

/** How often to ask whether the server is still there, in milliseconds. */
const ALIVE = 8000;

/** What must arrive and can't happen twice: a second offer would take back a second move. */
const REPEATED: ClientMessage['type'][] = ['play', 'resign'];

export interface Heard {
  /** A move was played, by whomever. */
  played?: (message: Extract<ServerMessage, { type: 'played' }>) => void;
  /** Moves were taken back, which may have made a rated game unrated. */
  tookBack?: (unrated: boolean) => void;
  /** What we have offered was declined. */
  declined?: () => void;
  /** The game has ended, by a move or otherwise. */
  ended?: () => void;
  /** The server did not do what we said. */
  refused?: (message: Refusal) => void;
  /** Another game was agreed on. */
  rematch?: (game: string) => void;
}

export class Room {
  game = $state<GameView>();
  sides = $state<Side[]>([]);
  present = $state<Side[]>([]);
  spectators = $state(0);
  /** What the engine thought of the game last. */
  score = $state<Schemas['Score']>();
  connection = $state<Connection>('connecting');
  rematchBy = $state<Side>();
  /** Whether we have asked for a rematch. */
  rematchAsked = $state(false);
  /** What we want to play as soon as we can. The server forgets it with the connection. */
  premoved = $state<{ ply: number; move: string; id: number }>();
  /** When the clocks of `game` were told, by this machine's clock. */
  clockAt = $state(0);

  #line: Line;
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing that is shown depends on it
  #waiting = new Map<number, ClientMessage>();
  /** What must not be complained of: a premove that is no longer possible is nobody's mistake. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing that is shown depends on it
  #quiet = new Set<number>();
  /** Whether we have said that an offer does not stand any more. */
  #withdrawn = false;
  #nextId = 1;
  #alive: ReturnType<typeof setInterval>;
  /** Whether we have asked if the server is there, and heard nothing since. */
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

  /** Lets somebody else hear the game; gives what ends that. */
  listen(heard: Heard): () => void {
    const before = this.#heard;
    this.#heard = heard;
    return () => {
      if (this.#heard === heard) this.#heard = before;
    };
  }

  /** Takes a seat: the server is told at once. */
  sit(seat: string): void {
    this.#seat = seat;
    this.#line.retry();
    this.connection = 'connecting';
  }

  /** Says something; if it is a move or the like, it is said again if the connection breaks before the answer. */
  say(saying: Saying): number {
    const id = this.#nextId++;
    const message = { ...saying, id } as ClientMessage;
    if (message.type === 'decline') this.#withdrawn = true;
    if (REPEATED.includes(message.type)) this.#waiting.set(id, message);
    this.#send(message);
    return id;
  }

  /** Plays a move in the position that is shown. */
  play(move: string): number {
    return this.say({ type: 'play', ply: this.game?.moves.length ?? 0, move });
  }

  /** Plays a move as soon as the other side has moved; none takes it back. */
  premove(move: string | undefined): void {
    const ply = this.#plies() + 1;
    const id = this.say({ type: 'premove', ply, move: move ?? null });
    this.premoved = move === undefined ? undefined : { ply, move, id };
  }

  /** How many moves there are, with one of ours that is on its way. */
  #plies(): number {
    const plies = this.game?.moves.length ?? 0;
    const under = [...this.#waiting.values()].some((message) => message.type === 'play' && message.ply === plies);
    return plies + (under ? 1 : 0);
  }

  askRematch(): void {
    this.rematchAsked = true;
    this.say({ type: 'rematch' });
  }

  /** Whether we may do something besides moving, by what the server has told. */
  may(action: Schemas['Action']): boolean {
    const actions = this.game?.actions;
    return actions !== undefined && this.sides.some((side) => actions[side].includes(action));
  }

  /** What a side has left at this moment, in milliseconds. */
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

  /** There is no network: the connection is gone, even if it has not been told so. */
  drop(): void {
    this.#line.drop();
  }

  /** There is a network again: no need to wait longer. */
  retry(): void {
    if (this.connection === 'lost') this.#line.retry();
  }

  #lost(attempts: number): void {
    this.connection = 'lost';
    this.#silent = false;
    if (attempts > 0) void this.#check();
  }

  /** A game that is not there, or not for us, has no socket that could say so. */
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
  }

  /** A connection can end without anybody being told; then nobody answers. */
  #ask(): void {
    if (this.#silent) return this.drop();
    if (!this.#line.open) return;
    this.#silent = true;
    this.#send({ type: 'ping', id: this.#nextId++ });
  }

  #send(message: ClientMessage): void {
    if (this.connection === 'open') this.#line.send(message);
  }

  /** Says what the last connection has taken with it. */
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
      // A server that is just stopping, or a game that is just being closed, may let us in next time.
      if ([403, 404].includes(message.status)) this.#refused();
      else this.#line.drop();
      return;
    }
    const told = message as ServerMessage;
    switch (told.type) {
      case 'state': {
        // A state may come at any time; only what another connection has lost is said again.
        const anew = this.connection !== 'open';
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
        if (anew) {
          // What was asked on another connection has not been heard, or is told anew.
          [this.rematchAsked, this.#withdrawn] = [false, false];
          this.#sayAgain();
        }
        if (ended) this.#heard.ended?.();
        break;
      }
      case 'done':
        this.#waiting.delete(told.id);
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

  /** A change of the game, which must follow the last one. */
  #change(told: Extract<ServerMessage, { version: number }>): void {
    const game = this.game;
    if (!game || told.type === 'done') return;
    if (told.version !== game.version + 1) {
      // Something is missing: a new connection tells all.
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
