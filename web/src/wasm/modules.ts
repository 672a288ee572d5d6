// Where the modules are. They are missing if the toolchain can't build them: then the server does the work.

const built = import.meta.glob<string>('./built/*', { query: '?url', import: 'default', eager: true });

/** The address of a built file. */
const address = (name: string): string | undefined => built[`./built/${name}`];

/** Whether the core and the engine were built. */
export const areBuilt = (): boolean => address('core.wasm') !== undefined && address('engine.wasm') !== undefined;

export const coreAddress = (): string | undefined => address('core.wasm');
export const netAddress = (): string | undefined => address('riga.net');

/** The engine's module, with SIMD where the browser has it. */
export const engineAddress = (simd = hasSimd()): string | undefined => (simd ? address('engine-simd.wasm') : address('engine.wasm'));

/** A function that returns a vector. */
// prettier-ignore
const VECTOR = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, // \0asm, version 1
  1, 5, 1, 96, 0, 1, 123, // a function type without parameters, with a v128
  3, 2, 1, 0, // a function of this type
  10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11, // i32.const 0, i8x16.splat, i8x16.popcnt
]);

export function hasSimd(): boolean {
  return WebAssembly.validate(VECTOR);
}

/** Compiles a module, while it arrives if its media type is right. */
export async function compile(address: string): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/wasm')) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}
