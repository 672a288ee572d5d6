// The built modules, for tests in Node.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (name: string) => fileURLToPath(new URL(`../../../src/wasm/built/${name}`, import.meta.url));

/** Whether the toolchain could build them. */
export const areBuilt = existsSync(path('core.wasm'));

export const bytes = (name: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(path(name)));

export const compiled = (name: string): WebAssembly.Module => new WebAssembly.Module(bytes(name));
