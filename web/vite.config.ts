import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

/** The engine for browsers without SIMD: most don't need it. */
const SELDOM = 'engine.wasm';

const hash = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex').slice(0, 16);

/** Puts the list of all files into the service worker, which keeps them for when the server is away. */
function precache(): Plugin {
  return {
    name: 'riga-precache',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const built = Object.values(bundle).filter((file) => file.fileName !== 'sw.js' && !(file.type === 'asset' && file.names.includes(SELDOM)));
        const files = built.map((file) => ({
          url: `/${file.fileName}`,
          // Names under /assets/ contain a hash.
          revision: file.fileName.startsWith('assets/') ? null : hash(file.type === 'asset' ? file.source : file.code),
        }));
        const fixed = readdirSync('public').map((name) => ({ url: `/${name}`, revision: hash(readFileSync(`public/${name}`)) }));
        const worker = bundle['sw.js'];
        if (worker?.type !== 'chunk' || !/\bFILES\b/.test(worker.code)) this.error('the service worker has no list of files');
        worker.code = `const FILES=${JSON.stringify([...files, ...fixed])};\n${worker.code}`;
      },
    },
  };
}

/** Compresses what is worth it. The server sends it as it is. */
function compress(): Plugin {
  return {
    name: 'riga-compress',
    apply: 'build',
    writeBundle({ dir = 'dist' }, bundle) {
      for (const name of Object.keys(bundle)) {
        const content = readFileSync(`${dir}/${name}`);
        const packed = gzipSync(content, { level: 9 });
        if (packed.length < 0.9 * content.length) writeFileSync(`${dir}/${name}.gz`, packed);
      }
    },
  };
}

export default defineConfig({
  plugins: [svelte(), precache(), compress()],
  build: {
    target: 'es2023',
    assetsInlineLimit: 4096,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', sw: 'src/sw.ts' },
      output: { entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js') },
    },
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } } },
});
