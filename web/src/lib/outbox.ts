// Our messages to a game that are not acknowledged yet.

import type { Schemas } from './api';

export type ClientMessage = Schemas['ClientMessage'];

/** Each kind of message, without its id. */
export type Saying = ClientMessage extends infer M ? (M extends { id: number } ? Omit<M, 'id'> : never) : never;

/** Messages that are safe to resend: a second takeback offer, in contrast, would take back a second move. */
const REPEATED: ClientMessage['type'][] = ['play', 'resign', 'abort'];

export class Outbox {
  #waiting = new Map<number, ClientMessage>();
  #quiet = new Set<number>();
  #nextId = 1;

  /** Numbers a message; moves and the like are kept until they are acknowledged. */
  add(saying: Saying): ClientMessage & { id: number } {
    const id = this.#nextId++;
    const message = { ...saying, id } as ClientMessage & { id: number };
    if (REPEATED.includes(message.type)) this.#waiting.set(id, message);
    return message;
  }

  /** Refusing this message is no mistake, such as a premove that has become illegal. */
  hush(id: number): void {
    this.#quiet.add(id);
  }

  /** What must be sent again. */
  waiting(): ClientMessage[] {
    return [...this.#waiting.values()];
  }

  /** A message was answered. Returns whether a refusal is to be reported. */
  answered(id: number): boolean {
    this.#waiting.delete(id);
    return !this.#quiet.delete(id);
  }

  clear(): void {
    this.#waiting.clear();
  }
}
