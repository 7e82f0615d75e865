import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from './eventually.js';

/** A connection on which a test writes each byte itself, and its received data. */
export class RawConnection {
  private received = '';

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => (this.received += chunk.toString('latin1')));
    socket.on('error', () => undefined);
  }

  /** With `allowHalfOpen` it can still send when the service has closed its side. */
  static async open(url: string, { allowHalfOpen = false } = {}): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen });
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Writes the head of a call with a body of this length. */
  begin(method: string, path: string, headers: Readonly<Record<string, string | number>>): void {
    const lines = Object.entries({ Host: 'localhost', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    this.send(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  }

  send(bytes: string): void {
    this.socket.write(bytes);
  }

  /** Everything received so far. */
  get text(): string {
    return this.received;
  }

  /** The statuses so far, interim ones (100) included. */
  get statuses(): number[] {
    return [...this.received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  /** Waits for a final status; returns it with the problem's code. */
  async refusal(): Promise<[number | undefined, string | undefined]> {
    await eventually(() => this.statuses.some((status) => status >= 200) && this.received.includes('"code"'));
    return [this.statuses.find((status) => status >= 200), /"code":"([a-z_]+)"/.exec(this.received)?.[1]];
  }

  close(): void {
    this.socket.destroy();
  }
}
