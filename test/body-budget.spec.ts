import type { Request } from 'express';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BODY_BUDGET_BYTES, FREE_BYTES, holdBody } from '../src/common/bodies/body-budget.js';
import { LOOKS, PATIENCE_MS } from '../src/common/bodies/body-patience.js';
import { BlobStore } from '../src/storage/blob-store.js';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { echoFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';

const MEGABYTE = 1024 * 1024;

describe('the memory budget for bodies counts', () => {
  let service: TestApp;
  let flow: string;
  let other: { ip: string; res: EventEmitter };
  const client = new ServiceClient(() => service);

  beforeAll(async () => {
    service = await startTestApp({ env: { MAX_JSON_MB: '4' } });
    flow = await client.flow({ ...echoFlow(), chat: { uploads: { isImageUploadAllowed: true } } });
  });

  afterAll(() => service.close());

  beforeEach(() => {
    other = { ip: '192.0.2.1', res: new EventEmitter() };
  });

  afterEach(() => {
    jest.restoreAllMocks();
    other.res.emit('close');
  });

  /** Occupies the budget with another call until this many bytes are left. */
  const leave = (bytes: number) =>
    holdBody(other as unknown as Request, BODY_BUDGET_BYTES + FREE_BYTES - bytes);
  /** Returns true while any call holds part of the budget. */
  const isTaken = (): boolean => {
    const probe = { ip: '192.0.2.2', res: new EventEmitter() };
    try {
      holdBody(probe as unknown as Request, BODY_BUDGET_BYTES + FREE_BYTES);
      return false;
    } catch {
      return true;
    } finally {
      probe.res.emit('close');
    }
  };
  const shortenPatience = () => {
    const real = globalThis.setInterval;
    jest
      .spyOn(globalThis, 'setInterval')
      .mockImplementation((look, ms) => real(look, ms === PATIENCE_MS / LOOKS ? 100 : ms));
  };
  const formOf = (members: Record<string, string | Blob>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(members)) form.append(name, value);
    return form;
  };
  const attach = (blob: Blob) =>
    client.send('POST', `/api/v1/attachments/${flow}/c`, formOf({ files: blob }));

  it('photographs that a message names by reference', async () => {
    const made = await attach(new Blob([Buffer.alloc(MEGABYTE)], { type: 'image/jpeg' }));
    const uploads = [{ type: 'stored-file', name: made.body[0].name }];
    leave(MEGABYTE / 2);
    const refused = await client.predict(flow, { question: 'Hi', chatId: 'c', uploads });
    expect([refused.status, refused.body.code]).toEqual([503, 'overloaded']);
    other.res.emit('close');
    expect((await client.predict(flow, { question: 'Hi', chatId: 'c', uploads })).status).toBe(200);
  });

  it('files of an execution that is repeated, before they are read', async () => {
    const bytes = Buffer.alloc(MEGABYTE, 1).toString('base64');
    const upload = {
      type: 'audio',
      name: 'a.wav',
      mime: 'audio/wav',
      data: `data:audio/wav;base64,${bytes}`,
    };
    const { executionId } = (await client.predict(flow, { question: 'Hi', uploads: [upload] })).body;
    const again = () => client.admin('POST', `flows/${flow}/run`, { executionId });
    leave(MEGABYTE / 2);
    const read = jest.spyOn(service.app.get(BlobStore), 'read');
    expect((await again()).body.code).toBe('overloaded');
    expect(read).not.toHaveBeenCalled();
    other.res.emit('close');
    expect((await again()).body.text).toContain('Hi');
  });

  it('attached texts', async () => {
    const text = new Blob(['x'.repeat(MEGABYTE)], { type: 'text/plain' });
    leave(MEGABYTE / 2);
    expect((await attach(text)).status).toBe(503);
    other.res.emit('close');
    expect((await attach(text)).status).toBe(200);
  });

  it('answers that echo texts, before they are written', async () => {
    const text = new Blob(['x'.repeat(MEGABYTE)], { type: 'text/plain' });
    leave(3.5 * MEGABYTE);
    const refused = await attach(text);
    expect([refused.status, refused.body.code]).toEqual([503, 'overloaded']);
    other.res.emit('close');
    leave(4.5 * MEGABYTE);
    expect((await attach(text)).status).toBe(200);
  });

  it('no text that is longer in the answer than a body may be', async () => {
    const attachOf = (character: string) =>
      attach(new Blob([character.repeat(MEGABYTE)], { type: 'text/plain' }));
    expect((await attachOf('\n')).status).toBe(200);
    const refused = await attachOf('\x01');
    expect([refused.status, refused.body.code]).toEqual([413, 'body_too_large']);
  });

  it('the text fields of forms, which share a limit', async () => {
    const send = (fields: Record<string, string>) =>
      client.send('POST', `/api/v1/prediction/${flow}`, formOf({ question: 'Hi', ...fields }));
    const large = 'x'.repeat(MEGABYTE);
    leave(MEGABYTE / 2);
    expect((await send({ large })).status).toBe(503);
    other.res.emit('close');
    expect((await send({ large })).status).toBe(200);
    expect((await send({ a: large, b: large, c: large, d: large, e: large })).status).toBe(413);
  });

  it('a stalled body only until it times out', async () => {
    shortenPatience();
    const caller = request(`${service.url}/api/v1/prediction/${flow}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': MEGABYTE },
    });
    caller.write(Buffer.alloc(MEGABYTE - 100, ' '));
    await eventually(isTaken);
    const [answer] = (await once(caller, 'response')) as [IncomingMessage];
    const { code } = JSON.parse((await answer.toArray()).join('')) as { code: string };
    expect([answer.statusCode, answer.headers.connection, code]).toEqual([408, 'close', 'request_timeout']);
    await eventually(() => !isTaken());
  });

  describe('the body of a run', () => {
    let model: Server;

    afterEach(() => {
      model.closeAllConnections();
      model.close();
    });

    it('after its caller has hung up', async () => {
      let notify: (() => void) | undefined;
      const requested = new Promise<void>((resolve) => (notify = resolve));
      model = createServer(() => notify?.()).listen(0, '127.0.0.1');
      await once(model, 'listening');
      const { port } = model.address() as AddressInfo;
      const baseUrl = `http://127.0.0.1:${port}/v1`;
      const waiting = await client.flow({
        name: 'Waiting',
        nodes: [
          { id: 'start', kind: 'start' },
          {
            id: 'llm',
            kind: 'llm',
            config: {
              model: { provider: 'openai-compatible', name: 'm', baseUrl },
              messages: [{ role: 'user', content: '{{question}}' }],
            },
          },
        ],
        edges: [{ from: 'start', to: 'llm' }],
      });
      const data = `data:image/jpeg;base64,${Buffer.alloc(MEGABYTE).toString('base64')}`;
      const caller = new AbortController();
      const call = fetch(`${service.url}/api/v1/prediction/${waiting}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ question: 'Hi', uploads: [{ type: 'file', name: 'a.jpg', data }] }),
        signal: caller.signal,
      });
      await requested;
      caller.abort();
      await expect(call).rejects.toThrow();
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(() => leave(MEGABYTE / 2)).toThrow(expect.objectContaining({ code: 'overloaded' }));
    });
  });
});
