import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A receiver of callbacks: it answers with the statuses in `answers`, then with 200. */
export class CallbackReceiver {
  readonly got: { headers: IncomingHttpHeaders; body: string }[] = [];
  answers: number[] = [];
  /** Calls to this path, held open until a test releases them. */
  readonly held: ServerResponse[] = [];
  private readonly server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.url === '/held') this.held.push(response);
      else this.answer({ headers: request.headers, body }, response);
    });
  });

  async listen(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    this.server.close().closeAllConnections();
  }

  private answer(got: { headers: IncomingHttpHeaders; body: string }, response: ServerResponse): void {
    this.got.push(got);
    const status = this.answers.shift() ?? 200;
    const location = status === 302 ? { location: `http://127.0.0.1:${this.port}/elsewhere` } : {};
    response.writeHead(status, location).end();
  }
}
