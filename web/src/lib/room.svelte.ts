// A live game: its state as reported by the server, and our messages that are not acknowledged yet.
//
// The connection is restored automatically. On every reconnect the server sends the whole game, and unacknowledged
// messages are sent again: a move that had already arrived is acknowledged, not played twice.

import { isGone, type GameView, type Schemas, type Side } from './api';
import { apply, type Change } from './changes';
import type { Heard, ServerMessage } from './heard';
import { SocketLine, type Ends, type Line } from './line';
import { HereLine } from './offline/hereline';
import { isHere } from './offline/shelf';
import { Outbox, type ClientMessage, type Saying } from './outbox';
import { settings } from './settings.svelte';

export type Connection = 'connecting' | 'open' | 'lost' | 'refused';

/** Heartbeat interval, in milliseconds. */
const ALIVE = 8000;

export class Room {
  game = $state<GameView>();
  sides = $state<Side[]>([]);
  present = $state<Side[]>([]);
  spectators = $state(0);
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
  #outbox = new Outbox();
  /** Whether we declined or withdrew the current offer. */
  #withdrawn = false;
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
    const ends: Ends = {
      open: () => this.#line.send({ type: 'join', seat: this.#seat ?? null, unhurried: settings.unhurried } satisfies ClientMessage),
      heard: (message) => {
        this.#silent = false;
        this.#hear(message as ServerMessage | Schemas['Problem']);
      },
      lost: (attempts) => this.#lost(attempts),
    };
    const socket = () => (this.#line = new SocketLine(`/api/games/${id}/socket`, ends));
    this.#line = isHere(id) ? new HereLine(id, ends, () => (this.#line.close(), !this.#closed && socket())) : socket();
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
    const message = this.#outbox.add(saying);
    if (message.type === 'decline') this.#withdrawn = true;
    this.#send(message);
    return message.id;
  }

  /** Plays a move in the current position. */
  play(move: string): number {
    return this.say({ type: 'play', ply: this.game?.moves.length ?? 0, move });
  }

  /** Sets a premove; undefined cancels it. */
  premove(move: string | undefined): void {
    const ply = this.#plies() + 1;
    const id = this.say({ type: 'premove', ply, move: move ?? null });
    this.#outbox.hush(id);
    this.premoved = move === undefined ? undefined : { ply, move, id };
  }

  /** The number of plies, including our own move in flight. */
  #plies(): number {
    const plies = this.game?.moves.length ?? 0;
    const under = this.#outbox.waiting().some((message) => message.type === 'play' && message.ply === plies);
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
    // A game that doesn't exist or isn't ours has no socket to report it on: ask over HTTP.
    if (attempts > 0) void isGone(this.id, this.#seat).then((gone) => gone && !this.#closed && this.#refused());
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
    this.#send(this.#outbox.add({ type: 'ping' }));
  }

  #send(message: ClientMessage): void {
    if (this.connection === 'open') this.#line.send(message);
  }

  /** Resends what the last connection lost. */
  #sayAgain(): void {
    for (const waiting of this.#outbox.waiting()) this.#send(waiting);
    const wanted = this.premoved;
    if (!wanted) return;
    this.premoved = undefined;
    if (wanted.ply === this.#plies() + 1) this.premove(wanted.move);
    else if (wanted.ply === this.game?.moves.length) this.#outbox.hush(this.play(wanted.move));
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
          this.#outbox.clear();
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
        this.#outbox.answered(told.id);
        break;
      case 'refused':
        if (told.id === this.premoved?.id) this.premoved = undefined;
        if (told.id == null || this.#outbox.answered(told.id)) this.#heard.refused?.(told);
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
        if (this.game) this.game.clock = told.clock ?? null;
        this.clockAt = performance.now();
        break;
      default:
        this.#change(told);
    }
  }

  /** Applies a change, which must directly follow the last version. */
  #change(told: Change): void {
    const game = this.game;
    if (!game) return;
    if (told.version !== game.version + 1) {
      // A change is missing: reconnect to get the whole state.
      this.#line.drop();
      return;
    }
    const before = { offer: game.offer, rated: game.rated };
    apply(game, told);
    if (told.type !== 'offered' && told.type !== 'seated') this.clockAt = performance.now();
    switch (told.type) {
      case 'played':
        if (this.premoved && this.premoved.ply <= game.moves.length) this.premoved = undefined;
        this.#heard.played?.(told);
        if (told.outcome) this.#heard.ended?.();
        break;
      case 'took_back':
        this.premoved = undefined;
        this.#heard.tookBack?.(before.rated && !game.rated);
        break;
      case 'offered':
        if (!game.offer && before.offer && !this.#withdrawn && this.sides.length === 1 && this.sides[0] === before.offer.by) {
          this.#heard.declined?.();
        }
        this.#withdrawn = false;
        break;
      case 'ended':
        this.premoved = undefined;
        this.#heard.ended?.();
        break;
    }
  }
}
