// The worker in which the engine runs.

import type { ToWorker } from './protocol';
import { serve } from './serve';

const handle = serve((message) => self.postMessage(message));
self.onmessage = (event: MessageEvent<ToWorker>) => handle(event.data);
