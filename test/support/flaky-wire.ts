/** A connection to a loopback server that can be cut, frozen and restored. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './free-port.ts';

export class FlakyWire {
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;
  #frozen = false;
  #whenQuiet: (() => void)[] = [];
  /** The port to connect to, which stays the same after a cut. */
  port = 0;

  constructor(target: number) {
    this.#target = target;
  }

  /** Accepts connections on the same port as before. */
  async open(): Promise<void> {
    const server = createServer((near) => {
      const far = connect(this.#target, '127.0.0.1');
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(from);
        from.setNoDelay();
        from.on('data', (bytes) => to.write(bytes));
        from.on('error', () => {});
        from.on('close', () => {
          this.#sockets.delete(from);
          to.destroy();
          if (this.#sockets.size > 0) return;
          for (const quiet of this.#whenQuiet) quiet();
          this.#whenQuiet = [];
        });
        if (this.#frozen) from.pause();
      }
    });
    this.port ||= await freePort();
    server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
  }

  /** Resolves when no connection is left. */
  async quiet(): Promise<void> {
    if (this.#sockets.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#whenQuiet.push(resolve);
    await promise;
  }

  /** Cuts every connection; new ones are accepted. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Keeps connections open and accepts new ones, but lets no data through, like a stopped process. */
  freeze(): void {
    this.#frozen = true;
    for (const socket of this.#sockets) socket.pause();
  }

  thaw(): void {
    this.#frozen = false;
    for (const socket of this.#sockets) socket.resume();
  }

  /** Cuts every connection and accepts no new ones. */
  async close(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    const closed = once(server, 'close');
    server.close();
    this.cut();
    await closed;
  }
}
