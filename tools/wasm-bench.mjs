// The bench of an engine module in Node, printed like that of `riga bench`.
//
//   node tools/wasm-bench.mjs MODULE.wasm NETWORK [DEPTH]

import { readFileSync } from 'node:fs';

const [module, net, depth] = process.argv.slice(2);
let said = '';
const text = (start, length) => Buffer.from(wasm.memory.buffer, start, length).toString();
const host = {
  answer: (start, length) => (said = text(start, length)),
  report: () => {},
  panicked: (start, length) => console.error(text(start, length)),
  now: () => performance.now(),
  stopped: () => 0,
};
const wasm = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(module)), { host }).exports;
const write = (bytes) => {
  const at = wasm.room(bytes.length);
  new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
};

wasm.begin();
write(readFileSync(net));
wasm.load(1);
const { kernel } = JSON.parse(said);
write(Buffer.from(`bench${JSON.stringify(depth ? { depth: Number(depth) } : {})}`));
wasm.call('bench'.length);
const { nodes, time, exact } = JSON.parse(said);
console.log(`${nodes} nodes in ${(time / 1000).toFixed(2)} s, ${Math.round(nodes / time)} knps, ${kernel}`);
if (!exact) {
  console.error('the kernel disagrees with the portable one');
  process.exit(1);
}
