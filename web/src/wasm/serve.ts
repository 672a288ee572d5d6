// The engine's worker: loads the module, and answers one call after another.

import { Door, Trouble, type EngineCalls } from './door';
import type { FromWorker, ToWorker } from './protocol';

/** Handles the messages to a worker. */
export function serve(tell: (message: FromWorker) => void): (message: ToWorker) => void {
  let door: Door<EngineCalls> | undefined;
  let flag: Int32Array | undefined;
  /** The call being answered. */
  let id = 0;

  const load = (message: Extract<ToWorker, { type: 'load' }>) => {
    flag = message.flag;
    door = new Door<EngineCalls>(message.module, {
      report: (told) => tell({ type: 'report', id, told }),
      stopped: () => flag !== undefined && Atomics.load(flag, 0) >= id,
    });
    tell({ type: 'ready', about: door.load(message.net, message.seed) });
  };

  return (message) => {
    try {
      if (message.type === 'load') {
        load(message);
      } else if (door) {
        id = message.id;
        tell({ type: 'answer', id, answer: door.call(message.name, message.question) });
      }
    } catch (error) {
      if (error instanceof Trouble) tell({ type: 'trouble', id, trouble: error.trouble });
      else tell({ type: 'crashed', text: error instanceof Error ? error.message : String(error) });
    }
  };
}
