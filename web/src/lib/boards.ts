// Loads the core module; without it, the server answers in its place.

import { ProblemError } from './api';
import type { Core, CoreCalls } from './core';
import { t } from './i18n.svelte';
import { notices } from './notices.svelte';
import { Remote } from './remote';
import { useCore } from '../wasm/core';
import { Trouble, type Door } from '../wasm/door';

/** The core module in this page. */
class Local implements Core {
  readonly edits = true;

  constructor(private readonly door: Door<CoreCalls>) {}

  // eslint-disable-next-line @typescript-eslint/require-await -- what is thrown becomes a rejection
  async call<K extends keyof CoreCalls>(name: K, question: CoreCalls[K]['question']): Promise<CoreCalls[K]['answer']> {
    try {
      return this.door.call(name, question);
    } catch (error) {
      throw error instanceof Trouble ? problem(error) : error;
    }
  }
}

/** What is wrong, as the server would say it. */
function problem({ trouble: { text, fault } }: Trouble): ProblemError {
  const fields = [{ name: '', detail: text, fault: fault ?? null }];
  return new ProblemError({ type: '/problems/invalid-request', title: text, status: 422, detail: text, fields });
}

/** Said once. */
let told = false;

export async function boards(): Promise<Core> {
  try {
    const door = await useCore();
    if (door) return new Local(door);
  } catch {
    // It can't be downloaded, or this browser can't run it.
  }
  if (!told) notices.say(t().analysis.noCore);
  told = true;
  return new Remote();
}
