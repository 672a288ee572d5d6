// The door to a WebAssembly module of Riga: calls by name, with questions and answers in JSON.

import type { components } from './calls';

type Schemas = components['schemas'];
export type CoreCalls = Schemas['CoreCalls'];
export type EngineCalls = Schemas['EngineCalls'];
export type AnalysedLines = Schemas['AnalysedLines'];
export type ReviewStep = Schemas['ReviewStep'];
/** What a call tells on the way. */
export type Told = AnalysedLines | ReviewStep;

/** What a module exports (crates/browser/src/door.rs). */
interface Exports {
  memory: WebAssembly.Memory;
  begin: () => void;
  room: (length: number) => number;
  call: (name: number) => void;
  /** Only the engine. */
  load?: (seed: number) => void;
}

/** What a module needs from its surroundings; the core needs nothing. */
export interface Host {
  /** The lines of a search that goes on, or a move of a review that is judged. */
  report?: (told: Told) => void;
  /** Whether the search should end; asked every few hundred nodes. */
  stopped?: () => boolean;
}

/** The call was understood, but there is no answer, such as for an illegal move. */
export class Trouble extends Error {
  override name = 'Trouble';
  constructor(readonly trouble: Schemas['Trouble']) {
    super(trouble.text);
  }
}

/** The module has crashed, which is a bug in it. It must be loaded again. */
export class Crash extends Error {
  override name = 'Crash';
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The shape of all lists of calls. */
type Calls<T> = { [N in keyof T]: { question: unknown; answer: unknown } };

export class Door<T extends Calls<T>> {
  readonly #module: Exports;
  readonly #host: Host;
  #said: { json: string; isAnswer: boolean } | undefined;
  #panic: string | undefined;
  #crashed = false;

  constructor(module: WebAssembly.Module, host: Host = {}) {
    this.#host = host;
    const imports = {
      answer: (start: number, length: number, isAnswer: number) => {
        this.#said = { json: this.#text(start, length), isAnswer: isAnswer !== 0 };
      },
      report: (start: number, length: number) =>
        this.#host.report?.(JSON.parse(this.#text(start, length)) as Told),
      panicked: (start: number, length: number) => {
        this.#panic = this.#text(start, length);
      },
      now: () => performance.now(),
      stopped: () => (this.#host.stopped?.() ? 1 : 0),
    };
    this.#module = new WebAssembly.Instance(module, { host: imports }).exports as unknown as Exports;
    this.#module.begin();
  }

  /** Throws a {@link Trouble} if there is no answer. */
  call<N extends keyof T & string>(name: N, question: T[N]['question']): T[N]['answer'] {
    const json = encoder.encode(JSON.stringify(question));
    const title = encoder.encode(name);
    this.#write([title, json]);
    return this.#ask(() => this.#module.call(title.length));
  }

  /** Gives the engine its network. */
  load(net: Uint8Array, seed: number): Schemas['About'] {
    this.#write([net]);
    return this.#ask(() => this.#module.load?.(seed)) as Schemas['About'];
  }

  #write(parts: Uint8Array[]): void {
    if (this.#crashed) throw new Crash(this.#panic ?? 'it has crashed before');
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    let at = this.#module.room(length);
    for (const part of parts) {
      new Uint8Array(this.#module.memory.buffer, at, part.length).set(part);
      at += part.length;
    }
  }

  #ask(call: () => void): unknown {
    this.#said = undefined;
    try {
      call();
    } catch (error) {
      // A trap leaves the memory as it was in the middle of the call.
      this.#crashed = true;
      throw new Crash(this.#panic ?? String(error));
    }
    const said = this.#said as { json: string; isAnswer: boolean } | undefined;
    if (!said) throw new Crash('there was no answer');
    const value: unknown = JSON.parse(said.json);
    if (!said.isAnswer) throw new Trouble(value as Schemas['Trouble']);
    return value;
  }

  #text(start: number, length: number): string {
    return decoder.decode(new Uint8Array(this.#module.memory.buffer, start, length));
  }
}
