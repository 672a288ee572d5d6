// A proxy between browser and server that can cut connections, to test bad networks.

import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export class Wire {
  #sockets = new Set<Socket>();
  #whole = true;

  private constructor(private readonly listener: Server) {}

  /** A proxy to the server at an address. */
  static async to(address: string): Promise<Wire> {
    const port = Number(new URL(address).port);
    const listener = createServer();
    const wire = new Wire(listener);
    listener.on('connection', (near) => wire.#join(near, port));
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    return wire;
  }

  /** The proxy's own address. */
  get url(): string {
    return `http://127.0.0.1:${(this.listener.address() as AddressInfo).port}`;
  }

  /** Closes all connections and refuses new ones. */
  cut(): void {
    this.#whole = false;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Silently stops forwarding on existing connections, like a NAT that has dropped their state. */
  silence(): void {
    for (const socket of this.#sockets) socket.unpipe();
  }

  /** Accepts new connections. Existing ones stay as they are. */
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
