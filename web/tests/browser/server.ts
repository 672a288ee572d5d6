// A real server for tests: on a free port, with a database of its own.

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A free port. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

export class Server {
  /** Where it listens. */
  url = '';
  #process: ChildProcess | undefined;
  #folder = '';

  constructor(private readonly options: (origin: string) => string[] = () => []) {}

  /** Starts the server, unless it runs: on a free port, or on the one it had before. */
  async start(): Promise<void> {
    if (this.#process?.exitCode === null && this.#process.signalCode === null) return;
    this.#folder ||= await mkdtemp(join(tmpdir(), 'riga-browser-'));
    const binary = process.env['RIGA'] ?? '../target/debug/riga';
    const port = this.url ? new URL(this.url).port : String(await freePort());
    const server = spawn(binary, ['serve', '--port', port, '--database', join(this.#folder, 'riga.db'), ...this.options(`http://127.0.0.1:${port}`)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = server;
    this.url = await new Promise((resolve, reject) => {
      let heard = '';
      server.stdout.on('data', (data: Buffer) => {
        heard += data.toString();
        const address = /Riga listens on (http:\S+)/.exec(heard)?.[1];
        if (address) resolve(address);
      });
      // An unread pipe would eventually block the server.
      server.stderr.on('data', (data: Buffer) => (heard += data.toString()));
      server.on('error', reject);
      server.on('exit', (code) => reject(new Error(`${binary} ended with ${code}: ${heard}`)));
    });
  }

  /** Stops the server; it keeps its games. */
  async stop(): Promise<void> {
    const server = this.#process;
    if (!server || server.exitCode !== null) return;
    const gone = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    const late = setTimeout(() => server.kill('SIGKILL'), 5_000);
    await gone;
    clearTimeout(late);
  }

  /** Stops it and removes its games. */
  async end(): Promise<void> {
    await this.stop();
    if (this.#folder) await rm(this.#folder, { recursive: true, force: true });
  }
}
