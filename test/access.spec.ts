import { randomUUID } from 'node:crypto';
import request from 'supertest';
import { startTestApp, type TestApp } from './support/app.js';
import { echoFlow } from './support/flows.js';

describe('access administration', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp({ env: { INITIAL_CREDIT: '250', TRUST_PROXY: '1' } });
  });

  afterAll(() => app.close());

  const admin = (test: request.Test) => test.set('Authorization', `Bearer ${app.adminKey}`);
  const get = (path: string) => admin(request(app.url).get(`/api/v1/${path}`));
  const post = (path: string, body: object) => admin(request(app.url).post(`/api/v1/${path}`)).send(body);
  const remove = (path: string) => admin(request(app.url).delete(`/api/v1/${path}`));

  it.each([
    'api-keys',
    'address-blocks',
    'credit',
    'credit/default',
    'credit/default/entries',
    'rate-limits',
  ])('requires the admin key at %s', async (path) => {
    const answer = await request(app.url).get(`/api/v1/${path}`).set('Authorization', 'Bearer wrong');
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ code: 'invalid_admin_key' });
    expect(answer.body.message).toMatch(/^The key that was sent is not the admin key\./);
    expect((await request(app.url).get(`/api/v1/${path}`)).body.message).toMatch(
      /^This needs the admin key\./,
    );
  });

  describe('of API keys', () => {
    it('returns the key only when it is created, lists it without it, and revokes it', async () => {
      const made = await post('api-keys', { name: ' website ' });
      expect(made.status).toBe(200);
      expect(made.body).toEqual({
        id: expect.any(String),
        name: 'website',
        key: expect.stringMatching(/^fk_.{43}$/),
      });
      const listed = await get('api-keys');
      expect(listed.text).not.toContain(made.body.key);
      expect(listed.body.data).toContainEqual({
        id: made.body.id,
        name: 'website',
        createdAt: expect.stringMatching(/Z$/),
        lastUsedAt: null,
      });
      expect((await remove(`api-keys/${made.body.id}`)).status).toBe(204);
      expect((await remove(`api-keys/${made.body.id}`)).status).toBe(404);
      expect((await remove('api-keys/a%00b')).status).toBe(404);
      expect((await get('api-keys')).text).not.toContain(made.body.id);
    });

    it.each([{}, { name: '' }, { name: 7 }, { name: '   ' }, { name: 'x'.repeat(201) }, []])(
      'refuses %j and names the faults',
      async (body) => {
        const answer = await post('api-keys', body);
        expect(answer.status).toBe(400);
        expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [expect.anything()] });
      },
    );
  });

  describe('of credit', () => {
    it('begins with INITIAL_CREDIT', async () => {
      expect((await get('credit/default')).body).toEqual({ account: 'default', balance: 250 });
    });

    it('applies a top-up once per reference', async () => {
      for (let attempt = 0; attempt < 2; attempt++) {
        const answer = await post('credit/agency/top-ups', { amount: 40, reference: 'invoice 1' });
        expect(answer.status).toBe(200);
        expect(answer.body).toMatchObject({
          account: 'agency',
          balance: 40,
          repeated: attempt > 0,
          entry: { kind: 'top_up', amount: 40, balanceAfter: 40, reference: 'invoice 1', executionId: null },
        });
      }
      expect((await get('credit/agency')).body.balance).toBe(40);
    });

    it('refuses a reference that was used for another amount, and books nothing', async () => {
      await post('credit/reused/top-ups', { amount: 40, reference: 'invoice 1' });
      const answer = await post('credit/reused/top-ups', { amount: 41, reference: 'invoice 1' });
      expect([answer.status, answer.body.code]).toEqual([409, 'reference_reused']);
      expect(answer.body.errors).toEqual([{ path: 'reference', message: 'names a top-up of 40' }]);
      expect((await get('credit/reused')).body.balance).toBe(40);
      expect((await get('credit/reused/entries')).body.data).toHaveLength(1);
    });

    it('pages through the entries, newest first', async () => {
      for (let n = 1; n <= 5; n++) await post('credit/pages/top-ups', { amount: n, reference: `r${n}` });
      const amounts: number[] = [];
      let cursor = '';
      do {
        const { body } = await get(`credit/pages/entries?limit=2${cursor && `&cursor=${cursor}`}`);
        amounts.push(...body.data.map((entry: { amount: number }) => entry.amount));
        cursor = body.nextCursor ?? '';
      } while (cursor);
      expect(amounts).toEqual([5, 4, 3, 2, 1]);
    });

    it('lists the accounts with their balances, page by page', async () => {
      for (const account of ['list a', 'list b', 'list/c']) {
        await post(`credit/${encodeURIComponent(account)}/top-ups`, { amount: 7, reference: 'x' });
      }
      const found: { account: string; balance: number }[] = [];
      let cursor = '';
      do {
        const { body } = await get(`credit?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
        expect(body.data.length).toBeLessThanOrEqual(2);
        found.push(...body.data);
        cursor = body.nextCursor ?? '';
      } while (cursor);
      expect(new Set(found.map(({ account }) => account)).size).toBe(found.length);
      expect(found).toContainEqual({ account: 'default', balance: 250 });
      expect(found.filter(({ account }) => account.startsWith('list'))).toEqual([
        { account: 'list a', balance: 7 },
        { account: 'list b', balance: 7 },
        { account: 'list/c', balance: 7 },
      ]);
    });

    it('accepts any account that a flow may name', async () => {
      const account = encodeURIComponent('Müller & Söhne / Büro 2');
      await post(`credit/${account}/top-ups`, { amount: 3, reference: 'x' });
      expect((await get(`credit/${account}`)).body.balance).toBe(3);
      expect((await get('credit/__proto__')).body).toEqual({ account: '__proto__', balance: 0 });
    });

    it.each([
      [{ reference: 'x' }, 'amount'],
      [{ amount: 0, reference: 'x' }, 'amount'],
      [{ amount: -5, reference: 'x' }, 'amount'],
      [{ amount: 1.5, reference: 'x' }, 'amount'],
      [{ amount: '5', reference: 'x' }, 'amount'],
      [{ amount: 2 ** 53, reference: 'x' }, 'amount'],
      [{ amount: 1 }, 'reference'],
      [{ amount: 1, reference: '' }, 'reference'],
      [{ amount: 1, reference: 'line\nbreak' }, 'reference'],
      [{ amount: 1, reference: 'x'.repeat(256) }, 'reference'],
    ])('refuses the top-up %j', async (body, path) => {
      const answer = await post('credit/default/top-ups', body);
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toEqual([expect.objectContaining({ path })]);
    });

    it.each([
      'credit?limit=501',
      'credit/a%01b',
      `credit/${'x'.repeat(257)}`,
      'credit/default/entries?cursor=x&limit=0',
    ])('refuses %s with 400', async (path) => {
      expect((await get(path)).status).toBe(400);
    });
  });

  describe('of rate limits', () => {
    const limited = async (limit: number, apiKeyId: string | null = null) => {
      const access = { apiKeyId, rateLimit: { limit, windowSeconds: 60 } };
      return (await post('flows', echoFlow({ price: 0, access }))).body.id as string;
    };
    const call = (flowId: string, headers: Record<string, string>) =>
      request(app.url).post(`/api/v1/prediction/${flowId}`).set(headers).send({ question: 'Hello' });
    const uses = async (query = '') => (await get(`rate-limits${query}`)).body.data;

    it('lists the calls of each caller, the latest caller first, without counting the request itself', async () => {
      const flow = await limited(3);
      for (const address of ['198.51.100.40', '2001:db8:9:9::1', '198.51.100.40', '198.51.100.40']) {
        expect((await call(flow, { 'X-Forwarded-For': address })).status).toBe(200);
        app.clock.advance(1_000);
      }
      const before = app.clock.now();
      const refused = await call(flow, { 'X-Forwarded-For': '198.51.100.40' });
      const answered = app.clock.now();
      expect(refused.status).toBe(429);
      const shown = { flowId: flow, flowName: 'Echo', limit: 3, windowSeconds: 60 };
      const expected = [
        { ...shown, caller: { address: '198.51.100.40' }, used: 3, freeAt: expect.any(String) },
        { ...shown, caller: { address: '2001:db8:9:9::/64' }, used: 1, freeAt: expect.any(String) },
      ];
      expect(await uses(`?flowId=${flow}`)).toEqual(expected);
      const [first] = await uses(`?flowId=${flow}`);
      const secondsAt = (now: number) => Math.ceil((Date.parse(first.freeAt) - now) / 1000);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(secondsAt(before));
      expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(secondsAt(answered));
      expect(await uses(`?flowId=${flow}&limit=1`)).toEqual(expected.slice(0, 1));
      expect(await uses()).toEqual(expect.arrayContaining(expected));
      app.clock.advance(60_001);
      expect(await uses(`?flowId=${flow}`)).toEqual([]);
    });

    it('names the key of a keyed flow as the caller, not the address', async () => {
      const { body: key } = await post('api-keys', { name: 'Shop' });
      const flow = await limited(5, key.id);
      expect((await call(flow, { Authorization: `Bearer ${key.key}` })).status).toBe(200);
      const caller = { apiKeyId: key.id, apiKeyName: 'Shop' };
      expect(await uses(`?flowId=${flow}`)).toMatchObject([{ caller, used: 1, limit: 5 }]);
      await remove(`api-keys/${key.id}`);
      expect(await uses(`?flowId=${flow}`)).toMatchObject([{ caller: { ...caller, apiKeyName: null } }]);
    });

    it('omits flows without a limit and deleted flows', async () => {
      const flow = await limited(5);
      await call(flow, {});
      expect(await uses(`?flowId=${flow}`)).toHaveLength(1);
      await remove(`flows/${flow}`);
      expect(await uses(`?flowId=${flow}`)).toEqual([]);
      expect(await uses('?flowId=%00')).toEqual([]);
      expect((await get('rate-limits?limit=0')).status).toBe(400);
    });
  });

  describe('of address blocks', () => {
    const miss = (address: string) =>
      request(app.url)
        .post(`/api/v1/prediction/${randomUUID()}`)
        .set('X-Forwarded-For', address)
        .send({ question: 'Hello' });
    const block = async (address: string) => {
      for (let n = 0; n < 3; n++) expect((await miss(address)).status).toBe(404);
      expect((await miss(address)).status).toBe(429);
    };

    it('lists blocked addresses with the end of each block, and lifts a block', async () => {
      await block('198.51.100.20');
      const { body } = await get('address-blocks');
      const [blocked] = body.data.filter((one: { address: string }) => one.address === '198.51.100.20');
      expect(Date.parse(blocked.blockedUntil) - Date.parse(blocked.blockedAt)).toBe(3_600_000);
      expect((await remove('address-blocks/198.51.100.20')).status).toBe(204);
      expect((await miss('198.51.100.20')).status).toBe(404);
      expect((await remove('address-blocks/198.51.100.20')).status).toBe(404);
    });

    it('counts IPv6 by /64 and mapped IPv6 as IPv4, and lifts a block by any spelling', async () => {
      await block('2001:db8:7:8::1');
      expect((await miss('2001:db8:7:8:ffff::2')).status).toBe(429);
      expect((await miss('2001:db8:7:9::1')).status).toBe(404);
      const [{ address }] = (await get('address-blocks')).body.data;
      expect((await remove(`address-blocks/${encodeURIComponent(address)}`)).status).toBe(204);
      await block('::ffff:198.51.100.21');
      expect((await miss('198.51.100.21')).status).toBe(429);
      expect((await remove('address-blocks/::ffff:c633:6415')).status).toBe(204);
    });

    it('returns 404 for anything but an address', async () => {
      expect((await remove('address-blocks/nonsense')).status).toBe(404);
      expect((await remove('address-blocks/%E0%A4%A')).status).toBe(404);
    });

    it('leaves admin routes open to a blocked address', async () => {
      await block('198.51.100.22');
      expect((await get('credit/default').set('X-Forwarded-For', '198.51.100.22')).status).toBe(200);
    });
  });

  it('keeps an address blocked over a restart, within the window and within the hour', async () => {
    const first = await startTestApp();
    const miss = (on: TestApp) => request(on.url).post(`/api/v1/prediction/${randomUUID()}`).send({});
    await miss(first);
    await miss(first);
    await first.close({ keep: true });
    const second = await startTestApp({ place: first.place });
    expect((await miss(second)).status).toBe(404);
    expect((await miss(second)).status).toBe(429);
    await second.close({ keep: true });
    const third = await startTestApp({ place: first.place });
    expect((await miss(third)).status).toBe(429);
    third.clock.advance(3_600_000);
    expect((await miss(third)).status).toBe(404);
    await third.close();
  });
});
