import { DatabaseReader } from '../src/database/database-reader.js';
import { WriteGate } from '../src/database/writes/write-gate.js';
import { RenderFixture } from './fixtures/renders.js';
import { smallJpeg } from './support/recorded-photographs.js';
import type { Answer } from './support/service-client.js';

const outcome = ({ status, body }: Answer) => (status === 200 ? 200 : [status, body?.code]);

/** Corrections under an `Idempotency-Key`: applied once, and replayed. */
describe('a correction under a key', () => {
  const room = new RenderFixture();
  const { client, session, render } = room;

  beforeAll(() => room.start());
  afterAll(() => room.close());

  const photograph = async (sessionId: string): Promise<string> => {
    const photographs = [{ data: (await smallJpeg()).toString('base64') }];
    const body = { flowId: room.flowId, sessionId, area: 'Kitchn', photographs };
    const answer = await client.send('POST', '/api/v1/inspection/capture', body);
    expect(answer.status).toBe(200);
    return answer.body.recorded[0].id as string;
  };
  const correct = (id: string, body: unknown) =>
    client.admin('POST', `inspection/photographs/${id}/corrections`, body);
  const shown = async (id: string) => (await client.admin('GET', `inspection/photographs/${id}`)).body;
  const all = <Row>(sql: string, values: string[]) => room.app.app.get(DatabaseReader).all<Row>(sql, values);

  it('is applied once, and replayed, whatever was corrected since', async () => {
    const sessionId = session();
    const id = await photograph(sessionId);
    const path = `/api/v1/inspection/photographs/${id}/corrections`;
    const turn = (key: string, body: object = { turn: 90 }) =>
      client.send('POST', path, body, { ...room.adminHeaders(), 'Idempotency-Key': key });
    const first = await turn('one');
    expect(first.body).toMatchObject({ turn: 90 });
    expect(first.headers.get('idempotent-replay')).toBeNull();
    const atOnce = await Promise.all(Array.from({ length: 8 }, () => turn('two')));
    expect(atOnce.map(({ body }) => body.turn)).toEqual(Array(8).fill(180));
    expect(atOnce.filter(({ headers }) => headers.get('idempotent-replay') === 'true')).toHaveLength(7);
    expect(outcome(await turn('one', { turn: 180 }))).toEqual([422, 'idempotency_key_reused']);
    expect(outcome(await turn('a b'))).toEqual([400, 'invalid_request']);
    // A correction without a change is an outcome too.
    expect((await turn('same', { area: 'Kitchn' })).status).toBe(200);
    await correct(id, { area: 'Hall' });
    expect((await turn('same', { area: 'Kitchn' })).body).toMatchObject({ area: 'Kitchn' });
    const renamed = () =>
      client.send(
        'POST',
        `/api/v1/inspection/sessions/${sessionId}/areas/rename`,
        { from: 'Hall', to: 'Landing' },
        { ...room.adminHeaders(), 'Idempotency-Key': 'named' },
      );
    const rename1 = await renamed();
    expect(rename1.body).toMatchObject({ area: 'Landing', corrected: 1 });
    expect(await shown(id)).toMatchObject({ area: 'Landing', turn: 180 });
    await render({ sessionId });
    expect(outcome(await correct(id, { turn: 90 }))).toEqual([409, 'already_claimed']);
    expect((await turn('one')).body).toEqual(first.body);
    expect((await renamed()).body).toEqual(rename1.body);
    expect((await shown(id)).turn).toBe(180);
  });

  it('stores little, however often a record was corrected, and for a day', async () => {
    const sessionId = session();
    const id = await photograph(sessionId);
    const caption = (key: string, words: string) =>
      client.send(
        'POST',
        `/api/v1/inspection/photographs/${id}/corrections`,
        { caption: words, reason: 'r'.repeat(500) },
        { ...room.adminHeaders(), 'Idempotency-Key': key },
      );
    const keys = Array.from({ length: 12 }, (_, n) => `caption-${n}`);
    const first = new Map<string, unknown>();
    for (const key of keys) first.set(key, (await caption(key, key)).body);
    const rows = await all<{ outcome: string }>(
      'SELECT call_key, outcome FROM correction_keys WHERE session_id = ?',
      [sessionId],
    );
    expect(rows).toHaveLength(12);
    for (const { outcome: text } of rows) expect(text.length).toBeLessThan(1_000);
    for (const key of keys) expect((await caption(key, key)).body).toEqual(first.get(key));

    await room.app.app
      .get(WriteGate)
      .write((tx) => tx.run('UPDATE correction_keys SET made_at = 1 WHERE session_id = ?', [sessionId]));
    const other = await photograph(session());
    await client.send(
      'POST',
      `/api/v1/inspection/photographs/${other}/corrections`,
      { turn: 90 },
      { ...room.adminHeaders(), 'Idempotency-Key': 'new' },
    );
    const old = await all('SELECT call_key FROM correction_keys WHERE made_at = 1', []);
    expect(old).toEqual([]);
  });

  it('stores no refusal', async () => {
    const sessionId = session();
    const id = await photograph(sessionId);
    const send = (body: object) =>
      client.send('POST', `/api/v1/inspection/sessions/${sessionId}/areas/rename`, body, {
        ...room.adminHeaders(),
        'Idempotency-Key': 'again',
      });
    expect(outcome(await send({ from: 'Hall', to: 'Landing' }))).toEqual([404, 'not_found']);
    await correct(id, { area: 'Hall' });
    expect(outcome(await send({ from: 'Hall', to: 'Landing' }))).toBe(200);
  });
});
