// Loads the core module; without it, the server answers in its place.

import { Told } from './api';
import type { Core, CoreCalls } from './core';
import { t } from './i18n.svelte';
import { notices } from './notices.svelte';
import { Remote } from './remote';

interface Exports {
  memory: WebAssembly.Memory;
  begin(): void;
  room(length: number): number;
  call(name: number): void;
}

class Module implements Core {
  readonly edits = true;
  #exports: Exports;
  #said: { json: string; isAnswer: boolean } | undefined;

  private constructor(module: WebAssembly.Module) {
    const text = (start: number, length: number) => new TextDecoder().decode(new Uint8Array(this.#exports.memory.buffer, start, length));
    const host = {
      answer: (start: number, length: number, isAnswer: number) => (this.#said = { json: text(start, length), isAnswer: isAnswer !== 0 }),
      panicked: (start: number, length: number) => console.error(text(start, length)),
    };
    this.#exports = new WebAssembly.Instance(module, { host }).exports as unknown as Exports;
    this.#exports.begin();
  }

  static async load(path: string): Promise<Module> {
    const response = await fetch(path);
    if (!response.headers.get('content-type')?.includes('wasm')) throw new Error('there is no module');
    return new Module(await WebAssembly.compile(await response.arrayBuffer()));
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- the interface is asynchronous
  async call<K extends keyof CoreCalls>(name: K, question: CoreCalls[K]['question']): Promise<CoreCalls[K]['answer']> {
    const encoder = new TextEncoder();
    const [head, body] = [encoder.encode(name), encoder.encode(JSON.stringify(question))];
    const start = this.#exports.room(head.length + body.length);
    const room = new Uint8Array(this.#exports.memory.buffer, start, head.length + body.length);
    room.set(head);
    room.set(body, head.length);
    this.#exports.call(head.length);
    const said = this.#said;
    if (!said) throw new Error('no answer');
    const answer = JSON.parse(said.json) as unknown;
    if (!said.isAnswer) throw new Told((answer as { text: string }).text);
    return answer as CoreCalls[K]['answer'];
  }
}

let loading: Promise<Core> | undefined;

export function boards(): Promise<Core> {
  loading ??= Module.load('/wasm/core.wasm').catch(() => {
    notices.say(t().analysis.noCore);
    return new Remote();
  });
  return loading;
}
