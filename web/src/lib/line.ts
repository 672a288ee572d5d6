// A WebSocket that reconnects automatically: at once, then with backoff.

import { socketAddress } from './api';

/** Delay before the next attempt to connect, in milliseconds. */
const DELAYS = [0, 250, 500, 1000, 2000, 4000, 8000];

export interface Ends {
  /** Connected. */
  open: () => void;
  /** A message arrived. */
  heard: (message: unknown) => void;
  /** Disconnected, after this many attempts. */
  lost: (attempts: number) => void;
}

/** A line on which a game's messages go back and forth. */
export interface Line {
  readonly open: boolean;
  send(message: object): void;
  /** The connection works: if it breaks, reconnect at once. */
  settled(): void;
  /** Drops the connection and reconnects, even if no error was reported. */
  drop(): void;
  /** The network is back: don't wait for the backoff. */
  retry(): void;
  close(): void;
}

export class SocketLine implements Line {
  #socket: WebSocket | undefined;
  #attempts = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(
    private readonly path: string,
    private readonly ends: Ends,
  ) {
    this.#connect();
  }

  get open(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  send(message: object): void {
    if (this.open) this.#socket?.send(JSON.stringify(message));
  }

  settled(): void {
    this.#attempts = 0;
  }

  drop(): void {
    if (this.#closed) return;
    this.#leave();
    this.#lost();
  }

  retry(): void {
    this.#attempts = 0;
    this.drop();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#leave();
  }

  #leave(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  #connect(): void {
    const socket = new WebSocket(socketAddress(this.path));
    this.#socket = socket;
    socket.onopen = () => this.ends.open();
    socket.onmessage = (event: MessageEvent<string>) => this.ends.heard(JSON.parse(event.data));
    socket.onclose = () => this.#lost();
  }

  #lost(): void {
    clearTimeout(this.#timer);
    this.#socket = undefined;
    const attempts = this.#attempts++;
    this.#timer = setTimeout(() => this.#connect(), DELAYS[Math.min(attempts, DELAYS.length - 1)]);
    this.ends.lost(attempts);
  }
}
