import { Controller, HttpCode, Module, Param, Post, Req, Res } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import type { Request, Response } from 'express';
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makePlace, type TestPlace } from '../../test/support/databases.js';
import { draftOf, succeededAt } from '../../test/support/test-executions.js';
import { AppConfig } from '../common/app-config.js';
import { CommonModule } from '../common/common.module.js';
import { ProblemFilter } from '../common/problem.filter.js';
import { ServiceError } from '../common/service-error.js';
import { DatabaseModule } from '../database/database.module.js';
import { WriteGate } from '../database/write-gate.js';
import { apiCallOf } from './api-call.js';
import { ExecutionLog } from './execution-log.js';
import { ExecutionsModule } from './executions.module.js';

/** A stand-in for the prediction route: what it does is named by the flow's id. */
@Controller('api/v1/prediction')
class PredictionStandIn {
  constructor(
    private readonly gate: WriteGate,
    private readonly log: ExecutionLog,
  ) {}

  @Post(':flowId')
  @HttpCode(200)
  async run(
    @Param('flowId') flowId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const call = apiCallOf(request);
    call.chatId = 'chat-of-stand-in';
    if (flowId === 'refuse') throw new ServiceError(401, 'invalid_api_key', 'Send the key of the flow.');
    if (flowId === 'crash') throw new Error('a secret detail');
    if (flowId === 'replay') {
      call.replayOf = 'the-first';
      response.setHeader('Idempotent-Replay', 'true');
      return { text: 'again' };
    }
    if (flowId === 'hang') return new Promise(() => undefined);
    const draft = draftOf(call.startedAt, { id: call.executionId, flowId, chatId: 'chat-of-stand-in' });
    await this.gate.write((tx) => this.log.open(tx, draft));
    call.recorded = true;
    await this.gate.write((tx) =>
      this.log.settle(tx, draft.id, succeededAt(call.startedAt + 3, { answer: 'Hi' })),
    );
    return { text: 'Hi' };
  }
}

@Module({ controllers: [PredictionStandIn] })
class StandInModule {}

const ADMIN = { Authorization: 'Bearer ak_test_admin_key_of_the_suite' };

interface Record {
  id: string;
  status: string;
  httpStatus: number | null;
  code?: string;
  [member: string]: unknown;
}

describe('the executions API', () => {
  let place: TestPlace;
  let app: NestExpressApplication;
  let url: string;

  beforeAll(async () => {
    place = await makePlace('sqlite');
    const config = AppConfig.from({
      DATA_DIR: place.dataDir,
      ADMIN_API_KEY: 'ak_test_admin_key_of_the_suite',
      LOG_LEVEL: 'silent',
    });
    const module = await Test.createTestingModule({
      imports: [CommonModule, DatabaseModule, ExecutionsModule, StandInModule],
    })
      .overrideProvider(AppConfig)
      .useValue(config)
      .compile();
    app = module.createNestApplication<NestExpressApplication>({
      bodyParser: false,
      forceCloseConnections: true,
      logger: false,
    });
    app.useGlobalFilters(app.get(ProblemFilter));
    await app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}/api/v1`;
  });

  afterAll(async () => {
    await app.close();
    await place.remove();
  });

  const predict = async (flowId: string) => {
    const response = await fetch(`${url}/prediction/${flowId}`, { method: 'POST' });
    return { response, id: response.headers.get('X-Execution-Id')!, body: await response.text() };
  };

  const get = async (path: string) => {
    const response = await fetch(`${url}/executions${path}`, { headers: ADMIN });
    return {
      status: response.status,
      body: (await response.json()) as Record & { data: Record[]; nextCursor: unknown },
    };
  };

  it('records a call that succeeds exactly once', async () => {
    const { id, response } = await predict('works');
    expect(response.status).toBe(200);
    const { body } = await get(`/${id}`);
    expect(body).toMatchObject({
      status: 'succeeded',
      httpStatus: 200,
      answer: 'Hi',
      durationMs: 3,
      nodes: [],
    });
    expect((await get(`?flowId=works`)).body.data.map((record) => record.id)).toEqual([id]);
  });

  it('records a refused call too, with its id in the error body', async () => {
    const { id, body } = await predict('refuse');
    expect(JSON.parse(body)).toMatchObject({ code: 'invalid_api_key', executionId: id });
    expect((await get(`/${id}`)).body).toMatchObject({
      kind: 'prediction',
      flowId: 'refuse',
      chatId: 'chat-of-stand-in',
      status: 'rejected',
      httpStatus: 401,
      code: 'invalid_api_key',
      credits: 0,
      caller: { address: '127.0.0.1' },
    });
  });

  it('records an unexpected failure without telling its detail', async () => {
    const { id } = await predict('crash');
    const { body } = await get(`/${id}`);
    expect(body).toMatchObject({ httpStatus: 500, code: 'internal_error' });
    expect(JSON.stringify(body)).not.toContain('secret detail');
  });

  it('gives a replay a record of its own that names the first', async () => {
    const { id } = await predict('replay');
    expect((await get(`/${id}`)).body).toMatchObject({
      status: 'succeeded',
      httpStatus: 200,
      replayOf: 'the-first',
    });
  });

  it('records a call whose caller hangs up before the answer', async () => {
    const call = httpRequest(`${url}/prediction/hang`, { method: 'POST' });
    call.on('error', () => undefined);
    call.end();
    await new Promise((resolve) => setTimeout(resolve, 100));
    call.destroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { body } = await get('?flowId=hang');
    expect(body.data).toMatchObject([{ status: 'rejected', httpStatus: null, code: 'caller_gone' }]);
  });

  it('lists newest first and pages', async () => {
    const ids = [];
    for (let call = 0; call < 5; call++) ids.unshift((await predict('paged')).id);
    const first = await get('?flowId=paged&limit=3');
    const second = await get(`?flowId=paged&limit=3&cursor=${String(first.body.nextCursor)}`);
    expect([...first.body.data, ...second.body.data].map((record) => record.id)).toEqual(ids);
    expect(second.body.nextCursor).toBeNull();
  });

  it('answers 400 to a query that makes no sense and 404 to an id that does not exist', async () => {
    expect(await get('?limit=0')).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(await get('/no-such-id')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await get('/%00')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    for (const [method, path] of [
      ['DELETE', '/no-such-id'],
      ['POST', '/no-such-id/cancel'],
    ] as const) {
      const response = await fetch(`${url}/executions${path}`, { method, headers: ADMIN });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ code: 'not_found' });
    }
  });

  it('lets nobody in without the admin key', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/x'],
      ['GET', '/stream'],
      ['GET', '/export'],
      ['GET', '/stats'],
      ['POST', '/x/cancel'],
      ['DELETE', '/x'],
    ] as const) {
      const response = await fetch(`${url}/executions${path}`, { method });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ code: 'invalid_admin_key' });
    }
  });

  it('deletes a record that has ended, not one that runs', async () => {
    const { id } = await predict('deleted');
    const remove = (of: string) => fetch(`${url}/executions/${of}`, { method: 'DELETE', headers: ADMIN });
    expect((await remove(id)).status).toBe(204);
    expect((await get(`/${id}`)).status).toBe(404);
    const running = draftOf(1_000);
    await app.get(WriteGate).write((tx) => app.get(ExecutionLog).open(tx, running));
    expect((await remove(running.id)).status).toBe(409);
    const cancelled = await fetch(`${url}/executions/${running.id}/cancel`, {
      method: 'POST',
      headers: ADMIN,
    });
    expect([cancelled.status, await cancelled.json()]).toEqual([
      200,
      { id: running.id, status: 'running', cancelled: true },
    ]);
  });

  it('exports one record a line, with the filters of the list', async () => {
    const ids = [];
    for (let call = 0; call < 3; call++) ids.unshift((await predict('exported')).id);
    const response = await fetch(`${url}/executions/export?flowId=exported`, { headers: ADMIN });
    expect(response.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
    const lines = (await response.text()).trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as Record).id)).toEqual(ids);
    const refused = await fetch(`${url}/executions/export?kind=other`, { headers: ADMIN });
    expect(refused.status).toBe(400);
  });

  it('streams what begins and ends, filtered, as Server-Sent Events', async () => {
    const stop = new AbortController();
    const response = await fetch(`${url}/executions/stream?flowId=watched`, {
      headers: ADMIN,
      signal: stop.signal,
    });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await predict('unwatched');
    const { id } = await predict('watched');
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk as Uint8Array);
      if (text.includes(id)) break;
    }
    stop.abort();
    const frame = text.split('\n\n').find((part) => part.includes('data:'))!;
    expect(frame).toMatch(new RegExp(`^id: ${id}\ndata: `));
    expect(JSON.parse(frame.slice(frame.indexOf('{')))).toMatchObject({
      event: 'execution',
      data: { id, flowId: 'watched', status: 'succeeded' },
    });
    expect(text).not.toContain('"unwatched"');
  });

  it('counts for charts', async () => {
    const { status, body } = await get('/stats?flowId=exported');
    expect(status).toBe(200);
    expect(body).toMatchObject({ totals: { count: 3, byStatus: { succeeded: 3 } }, by: 'day' });
  });
});
