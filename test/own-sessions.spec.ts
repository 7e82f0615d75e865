import type { Request } from 'express';
import { randomUUID } from 'node:crypto';
import { SessionAccess } from '../src/inspection/access/session-access.js';
import { openFlow } from './fixtures/renders.js';
import { startTestApp, type TestApp } from './support/app.js';
import { recordPhotograph } from './support/recorded-photographs.js';
import { type Answer, ServiceClient } from './support/service-client.js';

const outcome = ({ status, body }: Answer) => [status, body?.code];
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const shop = { origin: 'https://shop.example' };
const foreign = { origin: 'https://evil.example' };

/** Access to the records of a session. */
describe('a session’s own records', () => {
  let app: TestApp;
  let key: Record<string, string>;
  let open: string;
  let keyed: string;
  const client = new ServiceClient(() => app);

  beforeAll(async () => {
    app = await startTestApp({ env: { TRUST_PROXY: '1' } });
    const { body } = await client.admin('POST', 'api-keys', { name: 'office' });
    key = bearer(body.key as string);
    const access = { apiKeyId: body.id as string, allowedDomains: ['shop.example'] };
    open = await client.flow(openFlow);
    keyed = await client.flow({ ...openFlow, access });
  });
  afterAll(() => app.close());

  const admin = () => bearer(app.adminKey);
  let addresses = 0;
  /** Headers of a call from an address of its own. */
  const from = () => ({ 'x-forwarded-for': `198.51.100.${++addresses}` });

  /** Records a session in the database as a capture does. */
  const recorded = async (flowId: string, sessionId: string) => {
    const body = { flowId, sessionId, area: 'Kitchen' };
    const { status } = await client.send('POST', '/api/v1/inspection/capture', body, key);
    expect(status).toBe(200);
  };

  /** Returns the answer of the access check to a request with these headers. */
  const enter = async (sessionId: string, flowId?: string, headers: Record<string, string> = {}) => {
    const { 'x-forwarded-for': ip = '127.0.0.1', ...sent } = { ...from(), ...headers };
    const request = { ip, headers: sent, query: {}, socket: {} } as unknown as Request;
    try {
      return await app.app.get(SessionAccess).open(request, sessionId, flowId);
    } catch (error) {
      const { status, code } = error as { status: number; code: string };
      return [status, code];
    }
  };

  describe('of an open flow', () => {
    it('are readable by anyone who knows an unguessable id, also before anything was recorded', async () => {
      const sessionId = randomUUID();
      expect(await enter(sessionId, open)).toEqual({ flowId: open, sessionId, isAdmin: false });
      expect(await enter(sessionId)).toEqual([404, 'not_found']);
      await recorded(open, sessionId);
      expect(await enter(sessionId)).toEqual({ flowId: open, sessionId, isAdmin: false });
    });

    it.each([
      '447700900123',
      '0191e0c4-1111-7000-8000-000000000000',
      `${randomUUID()}x`,
      `whatsapp:${randomUUID()}`,
    ])('are readable with the admin key alone if the id is guessable: %s', async (sessionId) => {
      await recorded(open, sessionId);
      for (const flowId of [open, undefined]) {
        expect(await enter(sessionId, flowId)).toEqual([401, 'invalid_api_key']);
        expect(await enter(sessionId, flowId, key)).toEqual([401, 'invalid_api_key']);
        expect(await enter(sessionId, flowId, admin())).toMatchObject({ flowId: open, isAdmin: true });
      }
    });
  });

  describe('of a flow with a key', () => {
    it('are readable with that key, whatever the id', async () => {
      for (const sessionId of [randomUUID(), '447700900456']) {
        await recorded(keyed, sessionId);
        for (const flowId of [keyed, undefined]) {
          for (const headers of [{}, bearer('fk_wrong'), bearer(sessionId)])
            expect(await enter(sessionId, flowId, headers)).toEqual([401, 'invalid_api_key']);
          expect(await enter(sessionId, flowId, key)).toMatchObject({
            flowId: keyed,
            isAdmin: false,
            apiKeyId: expect.any(String),
          });
        }
      }
    });

    it('are readable by pages of its list', async () => {
      const sessionId = randomUUID();
      await recorded(keyed, sessionId);
      for (const flowId of [keyed, undefined]) {
        expect(await enter(sessionId, flowId, { ...key, ...foreign })).toEqual([403, 'domain_not_allowed']);
        expect(await enter(sessionId, flowId, { ...key, ...shop })).toMatchObject({ flowId: keyed });
      }
    });
  });

  it('report the progress of the inspection, also before its first photograph, without its photographs', async () => {
    const sessionId = randomUUID();
    const areas = (id: string = sessionId, flowId = open, headers: Record<string, string> = {}) =>
      client.send('GET', `/api/v1/inspection/sessions/${id}/areas?flowId=${flowId}`, undefined, {
        ...from(),
        ...headers,
      });
    const none = { sessionId, flowId: open, pending: 0, corrected: 0, currentArea: null, areas: [] };
    const services = ['electricity-meter', 'gas-meter', 'water-meter', 'keys', 'detectors'];
    expect((await areas()).body).toEqual({ ...none, outstandingAreas: services });
    await recorded(open, sessionId);
    await recordPhotograph(app, { flowId: open, sessionId, area: 'Gas meter' });
    const { body, headers } = await areas();
    expect(body).toEqual({
      ...{ sessionId, flowId: open, pending: 1, corrected: 0, currentArea: 'Kitchen' },
      areas: [{ area: 'Gas meter', areaType: 'service', photographs: 1, remarks: 0, pending: 1 }],
      outstandingAreas: services.filter((area) => area !== 'gas-meter'),
    });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(outcome(await areas('447700900123'))).toEqual([401, 'invalid_api_key']);
    expect(outcome(await areas(sessionId, keyed))).toEqual([401, 'invalid_api_key']);
    expect(outcome(await areas(sessionId, keyed, key))).toEqual([200, undefined]);
  });

  it("require the flow's name if several of the caller's flows have a session of this id", async () => {
    const sessionId = randomUUID();
    await recorded(open, sessionId);
    await recorded(keyed, sessionId);
    expect(await enter(sessionId)).toMatchObject({ flowId: open });
    expect(await enter(sessionId, undefined, key)).toEqual([400, 'invalid_request']);
    expect(await enter(sessionId, undefined, admin())).toEqual([400, 'invalid_request']);
    expect(await enter(sessionId, keyed, key)).toMatchObject({ flowId: keyed });
  });

  it('do not reveal which flows exist: an unknown one is a strike', async () => {
    const stranger = from();
    const guess = () => enter(randomUUID(), randomUUID(), stranger);
    for (let miss = 0; miss < 3; miss++) expect(await guess()).toEqual([404, 'flow_not_found']);
    expect(await guess()).toEqual([429, 'address_blocked']);
    expect(await enter(randomUUID(), undefined, stranger)).toEqual([429, 'address_blocked']);
    expect(await enter(randomUUID(), randomUUID(), { ...admin(), ...stranger })).toEqual([
      404,
      'flow_not_found',
    ]);
    expect(await enter(randomUUID(), open, { ...admin(), ...stranger })).toMatchObject({ isAdmin: true });
  });

  it.each(['', 'a\u0000b', 'x'.repeat(257), 'a\u009fb'])('require a valid session id: %j', async (id) => {
    for (const flowId of [open, undefined])
      expect(await enter(id, flowId, admin())).toEqual([400, 'invalid_request']);
  });

  describe('by the id of one of them', () => {
    const print = async (photograph: { id: string }, query = '', headers: Record<string, string> = {}) => {
      const path = `/api/v1/inspection/photographs/${photograph.id}/print${query}`;
      return outcome(await client.send('GET', path, undefined, { ...from(), ...headers }));
    };

    it("require the session's id as well on an open flow", async () => {
      const [sessionId, guessed] = [randomUUID(), '447700900789'];
      const mine = await recordPhotograph(app, { flowId: open, sessionId });
      const theirs = await recordPhotograph(app, { flowId: open, sessionId: guessed });
      expect(await print(mine)).toEqual([401, 'invalid_api_key']);
      expect(await print(mine, `?sessionId=${randomUUID()}`)).toEqual([401, 'invalid_api_key']);
      expect(await print(mine, `?sessionId=${sessionId}`)).toEqual([200, undefined]);
      expect(await print(mine, '', bearer(sessionId))).toEqual([200, undefined]);
      expect(await print(theirs, `?sessionId=${guessed}`)).toEqual([401, 'invalid_api_key']);
      expect(await print(theirs, '', admin())).toEqual([200, undefined]);
      expect(await print({ id: randomUUID() }, `?sessionId=${sessionId}`)).toEqual([401, 'invalid_api_key']);
      expect(await print({ id: randomUUID() }, '', admin())).toEqual([404, 'not_found']);
    });

    it('require the key of a keyed flow, on a page of its list', async () => {
      const sessionId = randomUUID();
      const photograph = await recordPhotograph(app, { flowId: keyed, sessionId });
      expect(await print(photograph, `?sessionId=${sessionId}`)).toEqual([401, 'invalid_api_key']);
      expect(await print(photograph, '', key)).toEqual([200, undefined]);
      expect(await print(photograph, '', { ...key, ...foreign })).toEqual([403, 'domain_not_allowed']);
    });
  });
});
