import type { Request } from 'express';
import { once } from 'node:events';
import { createServer, request as ask, type ClientRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { readMultipartBody } from './multipart-body.js';
import { readJsonBody } from './request-body.js';

const PATIENCE_MS = 200;
const LIMITS = { bytes: 1_000_000, fileBytes: 1_000_000, fieldBytes: 1_000 };

/** The value of the body, or the error that it was refused with. */
type Outcome = { value: unknown } | { error: unknown };

describe('a body', () => {
  let server: Server;
  let call: ClientRequest;
  let outcome: Promise<Outcome>;

  afterEach(() => {
    call.destroy();
    server.closeAllConnections();
    server.close();
  });

  /** A call whose body the test sends piece by piece. */
  const open = async (type: string, length: number, read: (request: Request) => Promise<unknown>) => {
    outcome = new Promise<Outcome>((resolve) => {
      server = createServer((request, response) => {
        Object.assign(request, { res: response });
        read(request as unknown as Request)
          .then(
            (value) => resolve({ value }),
            (error: unknown) => resolve({ error }),
          )
          .finally(() => response.end());
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const headers = { 'content-type': type, 'content-length': length };
    call = ask({ port, host: '127.0.0.1', method: 'POST', headers });
    call.on('error', () => undefined);
    return call;
  };
  const json = (request: Request) => readJsonBody(request, 1_000, { patienceMs: PATIENCE_MS });
  const FORM = 'multipart/form-data; boundary=x';
  const START = '--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n';
  const END = '\r\n--x--\r\n';
  const stalled = expect.objectContaining({ status: 408, code: 'request_timeout' }) as unknown;

  it('that stalls is given up, with its connection', async () => {
    await open('application/json', 10, json);
    call.write('{"a"');
    expect(await outcome).toEqual({ error: stalled });
    expect(await outcome).toMatchObject({ error: { headers: { Connection: 'close' } } });
  });

  it('that never begins is given up', async () => {
    await open('application/json', 10, json);
    call.flushHeaders();
    expect(await outcome).toEqual({ error: stalled });
  });

  it.each(['application/json', FORM])(
    'of %s whose caller hangs up is told to have broken off',
    async (type) => {
      const form = (request: Request) =>
        readMultipartBody(request, LIMITS, () => Promise.resolve(), PATIENCE_MS);
      await open(type, 1_000, type === FORM ? form : json);
      call.write(type === FORM ? START : '{"a"');
      await once(server, 'request');
      call.destroy();
      expect(await outcome).toMatchObject({ error: { status: 400, code: 'invalid_request' } });
    },
  );

  it('that is slow and steady goes on', async () => {
    const words = Array.from({ length: 25 }, (_, index) => `${index} slow and steady, and on`);
    const pieces = JSON.stringify(words).match(/.{1,25}/g)!;
    await open('application/json', pieces.join('').length, json);
    for (const piece of pieces) {
      call.write(piece);
      await pause(PATIENCE_MS / 10);
    }
    expect(await outcome).toEqual({ value: words });
  });

  it('that drips to hold its place is given up', async () => {
    await open('application/json', 1_000, json);
    const dripping = setInterval(() => call.write(' '), PATIENCE_MS / 10);
    expect(await outcome).toEqual({ error: stalled });
    clearInterval(dripping);
  });

  it('of a form that stalls is given up, and so is its file', async () => {
    let file: Promise<unknown> | undefined;
    await open(FORM, 10_000, (request) =>
      readMultipartBody(request, LIMITS, ({ stream }) => (file = stream.toArray()), PATIENCE_MS),
    );
    call.write(`${START}picture`);
    expect(await outcome).toEqual({ error: stalled });
    await expect(file).rejects.toThrow();
  });

  it('of a form goes on while the service itself is what is slow', async () => {
    const body = START + 'x'.repeat(500_000) + END;
    await open(FORM, body.length, (request) =>
      readMultipartBody(
        request,
        LIMITS,
        async ({ stream }) => {
          await pause(3 * PATIENCE_MS);
          return (await stream.toArray()).length > 0;
        },
        PATIENCE_MS,
      ),
    );
    call.end(body);
    expect(await outcome).toMatchObject({ value: { files: [true] } });
  });
});
