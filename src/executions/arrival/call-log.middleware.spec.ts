import { request as httpRequest } from 'node:http';
import { StandInApp } from '../../../test/fixtures/stand-in-app.js';
import { eventually } from '../../../test/support/eventually.js';

describe('the record of a call', () => {
  let room: StandInApp;

  beforeAll(async () => {
    room = await StandInApp.start();
  });
  afterAll(() => room.close());

  it('records a call that succeeds exactly once', async () => {
    const { id, response } = await room.predict('works');
    expect(response.status).toBe(200);
    const { body } = await room.get(`/${id}`);
    expect(body).toMatchObject({
      status: 'succeeded',
      httpStatus: 200,
      answer: 'Hi',
      durationMs: 3,
      nodes: [],
    });
    expect((await room.get(`?flowId=works`)).body.data.map((record) => record.id)).toEqual([id]);
  });

  it('records a refused call too, with its id in the error body', async () => {
    const { id, body } = await room.predict('refuse');
    expect(JSON.parse(body)).toMatchObject({ code: 'invalid_api_key', executionId: id });
    expect((await room.get(`/${id}`)).body).toMatchObject({
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
    const { id } = await room.predict('crash');
    const { body } = await room.get(`/${id}`);
    expect(body).toMatchObject({ httpStatus: 500, code: 'internal_error' });
    expect(JSON.stringify(body)).not.toContain('secret detail');
  });

  it('gives a replay a record of its own that names the first', async () => {
    const { id } = await room.predict('replay');
    expect((await room.get(`/${id}`)).body).toMatchObject({
      status: 'succeeded',
      httpStatus: 200,
      replayOf: 'the-first',
    });
  });

  it('records a call whose caller hangs up before the answer', async () => {
    const call = httpRequest(`${room.url}/prediction/hang`, { method: 'POST' });
    call.on('error', () => undefined);
    call.end();
    await room.hanging;
    call.destroy();
    const recorded = async () => (await room.get('?flowId=hang')).body.data;
    await eventually(async () => (await recorded()).length > 0);
    expect(await recorded()).toMatchObject([{ status: 'rejected', httpStatus: null, code: 'caller_gone' }]);
  });
});
