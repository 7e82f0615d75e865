import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { RenderFixture, sha256, withFile } from './fixtures/renders.js';
import { startTestApp } from './support/app.js';
import { ServiceClient } from './support/service-client.js';

const textOf = (pdf: ArrayBuffer): string =>
  withFile(new Uint8Array(pdf), (path) =>
    execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' }),
  );

describe('a render', () => {
  const room = new RenderFixture();
  const { adminHeaders, client, photographs, render, session } = room;

  beforeAll(() => room.start());
  afterAll(() => room.close());

  describe('with pending photographs', () => {
    it('claims them once and returns the report', async () => {
      const sessionId = session();
      await photographs(sessionId, 3);
      const meta = {
        address: '1 High Street',
        propertyNo: '12A',
        postcode: 'SW1A 1AA',
        reportType: 'checkin',
      };
      const answer = await render({ sessionId, meta });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        file: {
          filename: expect.stringMatching(/^\d{8} 12A SW1A 1AA\.pdf$/),
          photographs: 3,
          pages: expect.any(Number),
        },
        claimed: 3,
        outstandingAreas: ['electricity-meter', 'gas-meter', 'water-meter', 'keys', 'detectors'],
        warnings: [],
        executionId: answer.headers.get('x-execution-id'),
      });
      const file = await fetch(answer.body.file.url as string);
      const bytes = await file.arrayBuffer();
      expect(file.headers.get('content-type')).toBe('application/pdf');
      expect(file.headers.get('x-content-type-options')).toBe('nosniff');
      expect(file.headers.get('content-length')).toBe(String(answer.body.file.bytes));
      expect(file.headers.get('content-disposition')).toContain(
        `filename*=UTF-8''${encodeURIComponent(answer.body.file.filename as string)}`,
      );
      expect(sha256(bytes)).toBe(answer.body.file.sha256);
      expect(textOf(bytes)).toContain('Check-In Inspection Report');

      const again = await render({ sessionId, meta });
      expect(again.status).toBe(200);
      expect(again.body).toEqual({
        file: null,
        reason: 'nothing_pending',
        previousReports: [
          { id: answer.body.file.id, filename: answer.body.file.filename, date: expect.stringMatching(/Z$/) },
        ],
      });
    });

    it('gives them to exactly one of many concurrent renders', async () => {
      const sessionId = session();
      await photographs(sessionId, 4);
      const answers = await Promise.all(Array.from({ length: 30 }, () => render({ sessionId })));
      const made = answers.filter((answer) => answer.body.file !== null);
      expect(made).toHaveLength(1);
      expect(made[0]!.body.file.photographs).toBe(4);
      for (const other of answers.filter((answer) => answer.body.file === null)) {
        expect(other.status).toBe(200);
        expect(['nothing_pending', 'render_in_progress']).toContain(other.body.reason);
      }
    });

    it('returns the PDF itself if the client accepts it, and 204 if there is nothing', async () => {
      const sessionId = session();
      await photographs(sessionId);
      const body = {
        templateId: 'inspection',
        source: { type: 'inspection', sessionId, meta: { postcode: 'Łódź' } },
      };
      const call = () =>
        fetch(`${room.app.url}/api/v1/pdf/render`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/pdf' },
          body: JSON.stringify(body),
        });
      const answer = await call();
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/pdf');
      expect(decodeURIComponent(answer.headers.get('content-disposition')!)).toContain('Łódź.pdf');
      expect(
        Buffer.from(await answer.arrayBuffer())
          .subarray(0, 5)
          .toString(),
      ).toBe('%PDF-');
      const nothing = await call();
      expect(nothing.status).toBe(204);
      expect(await nothing.text()).toBe('');
    });

    it('leaves later photographs to a second report', async () => {
      const sessionId = session();
      await photographs(sessionId, 1, room.flowId, 'Gas meter');
      await render({ sessionId });
      await photographs(sessionId, 2);
      const second = await render({ sessionId, meta: { reportType: 'checkout' } });
      expect(second.body).toMatchObject({ claimed: 2, file: { photographs: 2 } });
      expect(second.body.outstandingAreas).toEqual(['electricity-meter', 'water-meter', 'keys', 'detectors']);
    });

    it('has one record of kind render, running with the claim and closed with the report', async () => {
      const sessionId = session();
      await photographs(sessionId);
      const answer = await render({ sessionId });
      const record = await client.ended(answer.body.executionId as string);
      expect(record).toMatchObject({
        kind: 'render',
        status: 'succeeded',
        httpStatus: 200,
        chatId: sessionId,
        flowId: room.flowId,
        credits: 0,
      });
    });
  });

  it('of nothing pending produces no file at all', async () => {
    const answer = await render({ sessionId: session() });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ file: null, reason: 'nothing_pending', previousReports: [] });
    expect((await client.ended(answer.headers.get('x-execution-id')!)).status).toBe('succeeded');
  });

  it.each([
    [{ templateId: 'invoice' }],
    [{ source: { type: 'order', sessionId: 'x' } }],
    [{ source: { type: 'inspection' } }],
    [{ source: undefined }],
  ])('is 400 and claims nothing for %j', async (wrong) => {
    const sessionId = session();
    await photographs(sessionId);
    const body = { templateId: 'inspection', source: { type: 'inspection', sessionId, meta: {} }, ...wrong };
    const answer = await client.send('POST', '/api/v1/pdf/render', body);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('invalid_request');
    expect((await render({ sessionId })).body.claimed).toBe(1);
  });

  describe('of a flow with a key', () => {
    it('requires that key, and leaves the photographs pending without it', async () => {
      const sessionId = session();
      await photographs(sessionId, 2, room.keyed.flowId);
      for (const headers of [{}, { authorization: 'Bearer fk_wrong' }, adminHeaders()]) {
        const refused = await render({ sessionId }, headers);
        expect(refused.status).toBe(401);
        expect(refused.body.code).toBe('invalid_api_key');
        const sentence =
          'authorization' in headers ? 'The API key is not valid here' : 'This needs the API key';
        expect(refused.body.message).toContain(sentence);
      }
      const made = await render({ sessionId }, room.keyed.headers);
      expect(made.body.claimed).toBe(2);
      const again = await render({ sessionId }, room.keyed.headers);
      expect(again.body.previousReports[0].url).toContain('signature=');
    });

    it('stays out of a report of an open flow, in one session', async () => {
      const sessionId = session();
      await photographs(sessionId, 1, room.flowId);
      await photographs(sessionId, 2, room.keyed.flowId);
      expect((await render({ sessionId })).body.claimed).toBe(1);
      expect((await render({ sessionId })).status).toBe(401);
      expect((await render({ sessionId }, room.keyed.headers)).body.claimed).toBe(2);
    });

    it('is narrowed and checked by source.flowId', async () => {
      const sessionId = session();
      await photographs(sessionId, 1, room.flowId);
      await photographs(sessionId, 2, room.keyed.flowId);
      expect((await render({ sessionId, flowId: room.keyed.flowId })).status).toBe(401);
      expect((await render({ sessionId, flowId: room.keyed.flowId }, room.keyed.headers)).body.claimed).toBe(
        2,
      );
      expect((await render({ sessionId, flowId: room.flowId }, room.keyed.headers)).body.claimed).toBe(1);
      const unknown = await render({ sessionId, flowId: 'no-such-flow' });
      expect(unknown.status).toBe(404);
      expect(unknown.body.code).toBe('flow_not_found');
    });
  });

  it('with requireComplete is 409 while areas are outstanding; forceFinish waives all', async () => {
    const sessionId = session();
    await photographs(sessionId, 1, room.flowId, 'Gas meter');
    const source = { sessionId, meta: { reportType: 'checkout' }, requireComplete: true };
    const refused = await render(source);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      code: 'incomplete_inspection',
      outstandingAreas: ['electricity-meter', 'water-meter', 'keys', 'detectors'],
    });
    const forced = await render({ ...source, forceFinish: true });
    expect(forced.body).toMatchObject({ claimed: 1, outstandingAreas: [] });
  });

  describe('under an Idempotency-Key', () => {
    it('is replayed, also as the PDF, under a record of its own', async () => {
      const sessionId = session();
      await photographs(sessionId);
      const key = { 'idempotency-key': randomUUID() };
      const first = await render({ sessionId }, key);
      const second = await render({ sessionId }, key);
      expect(second.text).toBe(first.text);
      expect(second.headers.get('idempotent-replay')).toBe('true');
      expect(second.headers.get('x-execution-id')).not.toBe(first.headers.get('x-execution-id'));
      const record = await client.ended(second.headers.get('x-execution-id')!);
      expect(record.replayOf).toBe(first.body.executionId);
      const pdf = await render({ sessionId }, { ...key, accept: 'application/pdf' });
      expect(pdf.text.slice(0, 5)).toBe('%PDF-');
    });

    it('is 422 for another request, and free again after a refusal', async () => {
      const sessionId = session();
      await photographs(sessionId, 1, room.keyed.flowId);
      const key = { 'idempotency-key': randomUUID() };
      expect((await render({ sessionId }, key)).status).toBe(401);
      expect((await render({ sessionId }, key)).status).toBe(401);
      const withKey = { ...key, ...room.keyed.headers };
      expect((await render({ sessionId }, withKey)).body.claimed).toBe(1);
      const other = await render({ sessionId, forceFinish: true }, withKey);
      expect(other.status).toBe(422);
      expect(other.body.code).toBe('idempotency_key_reused');
    });
  });

  describe('that is async', () => {
    const accept = async (source: { sessionId: string }) =>
      render(source, { prefer: 'respond-async, wait=5' });

    it('is 202 with the address of its progress and answer', async () => {
      const sessionId = session();
      await photographs(sessionId, 5);
      const answer = await accept({ sessionId });
      expect(answer.status).toBe(202);
      const location = answer.headers.get('location')!;
      expect(location).toBe(`/api/v1/pdf/renders/${answer.body.id}`);
      const stream = await client.send('GET', location, undefined, { accept: 'text/event-stream' });
      const events = [...stream.text.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1]!));
      expect(events.at(-1)).toEqual({ event: 'end', data: '[DONE]' });
      expect(events.at(-2)).toMatchObject({ event: 'result', data: { claimed: 5 } });
      const status = await client.send('GET', location);
      expect(status.body).toMatchObject({
        id: answer.body.id,
        status: 'succeeded',
        result: { claimed: 5, executionId: answer.headers.get('x-execution-id') },
      });
      expect((await fetch(status.body.result.file.url)).status).toBe(200);
    });

    it('is 200 at once if there is nothing to do, and unknown renders are 404', async () => {
      expect((await accept({ sessionId: session() })).body.reason).toBe('nothing_pending');
      expect((await client.send('GET', `/api/v1/pdf/renders/${randomUUID()}`)).body.code).toBe('not_found');
    });
  });
});

describe('renders of one address', () => {
  it('are limited to RENDERS_PER_MINUTE', async () => {
    const app = await startTestApp({ env: { RENDERS_PER_MINUTE: '2' } });
    try {
      const client = new ServiceClient(() => app);
      const body = { templateId: 'inspection', source: { type: 'inspection', sessionId: 'x' } };
      const statuses: number[] = [];
      for (let count = 0; count < 3; count++)
        statuses.push((await client.send('POST', '/api/v1/pdf/render', body)).status);
      expect(statuses).toEqual([200, 200, 429]);
    } finally {
      await app.close();
    }
  });
});
