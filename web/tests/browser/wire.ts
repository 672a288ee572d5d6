// A wire between a browser and the server that can be cut: what stands between people and servers in earnest.

import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export class Wire {
  #sockets = new Set<Socket>();
  #whole = true;

  private constructor(private readonly listener: Server) {}

  /** A wire to the server at an address. */
  static async to(address: string): Promise<Wire> {
    const port = Number(new URL(address).port);
    const listener = createServer();
    const wire = new Wire(listener);
    listener.on('connection', (near) => wire.#join(near, port));
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    return wire;
  }

  /** The address at this end of the wire. */
  get url(): string {
    return `http://127.0.0.1:${(this.listener.address() as AddressInfo).port}`;
  }

  /** Ends all connections and lets no other come to be. */
  cut(): void {
    this.#whole = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Nothing goes through the connections there are, and nobody is told: as when a box between has forgotten them. */
  silence(): void {
    for (const socket of this.#sockets) socket.unpipe();
  }

  /** Lets new connections come to be. Those of before stay as they are. */
  mend(): void {
    this.#whole = true;
  }

  close(): void {
    this.cut();
    this.listener.close();
  }

  #join(near: Socket, port: number): void {
    this.#sockets.add(near);
    near.on('error', () => undefined).on('close', () => this.#sockets.delete(near));
    if (!this.#whole) {
      near.destroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    this.#sockets.add(far);
    far.on('error', () => undefined).on('close', () => this.#sockets.delete(far));
    near.pipe(far);
    far.pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  }
}
