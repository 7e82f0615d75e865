import type { Request, Response } from 'express';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../../test/support/eventually.js';
import type { ExecutionRecord } from '../../api/executions.js';
import type { ExecutionFeed, FeedReader } from './execution-feed.js';
import { sendLines, streamRecords } from './sent-records.js';

/** Real sockets; express's few methods on top of Node's response. */
async function serve(handle: (request: Request, response: Response) => void): Promise<Server> {
  const server = createServer((request, response) => {
    const express = Object.assign(response, {
      status: (code: number) => Object.assign(response, { statusCode: code }),
      set: (headers: Record<string, string>) => response.setHeaders(new Map(Object.entries(headers))),
    });
    handle(request as Request, express as unknown as Response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const record = { id: 'e', startedAt: '2026-11-21T09:30:00.000Z', question: 'x'.repeat(10_000) };

describe('a reader who takes nothing', () => {
  let server: Server;

  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  it('of the live stream is cut off before much waits for it', async () => {
    let show: FeedReader = () => undefined;
    let left = 0;
    const watch = (watcher: FeedReader) => ((show = watcher), () => left++);
    const feed = { watch, ready: () => Promise.resolve() };
    let response: Response | undefined;
    server = await serve((_request, answer) => {
      response = answer;
      streamRecords(answer, feed as unknown as ExecutionFeed, {});
    });
    const call = get(addressOf(server));
    call.on('error', () => undefined);
    await new Promise<void>((resolve) =>
      call.once('response', (answer) => resolve(void answer.pause().on('error', () => undefined))),
    );
    let waiting = 0;
    for (let shown = 0; shown < 5_000 && !response!.destroyed; shown++) {
      show(record as unknown as ExecutionRecord);
      waiting = Math.max(waiting, response!.writableLength);
      if (shown % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(response!.destroyed).toBe(true);
    expect(waiting).toBeLessThan(2 * 1024 * 1024);
    await eventually(() => left > 0);
    call.destroy();
  });

  it('of the live stream because it has left costs nothing', async () => {
    const watch = jest.fn(() => () => undefined);
    let begun: (() => void) | undefined;
    const done = new Promise<void>((resolve) => (begun = resolve));
    server = await serve((_request, answer) => {
      answer.once('close', () => {
        streamRecords(answer, { watch, ready: () => Promise.resolve() } as never, {});
        begun!();
      });
      call.destroy();
    });
    const call = get(addressOf(server)).on('error', () => undefined);
    await done;
    expect(watch).not.toHaveBeenCalled();
  });

  it('of the export holds one page, and everything when it reads on', async () => {
    let asked = 0;
    async function* pages() {
      for (; asked < 400; asked++) yield Array.from({ length: 10 }, () => record);
    }
    server = await serve((_request, response) => void sendLines(response, pages()));
    const lines = await new Promise<number>((resolve, reject) => {
      get(addressOf(server), (answer) => {
        answer.pause();
        setTimeout(() => {
          // The sockets' buffers took some; the rest is not even read from the database.
          expect(asked).toBeLessThan(200);
          let count = 0;
          answer.on('data', (chunk: Buffer) => (count += chunk.toString('latin1').split('\n').length - 1));
          answer
            .on('end', () => resolve(count))
            .on('error', reject)
            .resume();
        }, 200);
      }).on('error', reject);
    });
    expect(lines).toBe(4_000);
  });
});
