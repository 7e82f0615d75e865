import { randomUUID } from 'node:crypto';
import { bearer, flow, GuardedService } from '../../test/support/guarded-service.js';

describe('access to a flow', () => {
  const door = new GuardedService();

  describe('that does not exist', () => {
    it('is 404, and the third 404 blocks the address with 429', async () => {
      for (let miss = 0; miss < 3; miss++) {
        const answer = await door.predict(randomUUID());
        expect(answer.status).toBe(404);
        expect(answer.body).toMatchObject({ code: 'flow_not_found' });
      }
      const answer = await door.predict(flow());
      expect(answer.status).toBe(429);
      expect(answer.body).toMatchObject({ code: 'address_blocked' });
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3590);
    });

    it.each(['%E0%A4%A', '..%2f..%2fetc', 'a%00b', 'x', `${'a'.repeat(65)}`, '__proto__', '%F0%9F%8F%A0'])(
      'may be called anything: %s is a strike like any other',
      async (id) => {
        for (let miss = 0; miss < 3; miss++) expect((await door.predict(id)).status).toBe(404);
        expect((await door.predict(id)).status).toBe(429);
      },
    );

    it('of 100 calls at once exactly three are 404 and 97 are 429', async () => {
      const answers = await Promise.all(Array.from({ length: 100 }, () => door.predict(randomUUID())));
      expect(answers.filter(({ status }) => status === 404)).toHaveLength(3);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(97);
    });

    it('counts once per address and id on client endpoints', async () => {
      const config = (id: string) => door.get(`public-chatbotConfig/${id}`);
      for (let call = 0; call < 8; call++) expect((await config('gone-flow')).status).toBe(404);
      expect((await config(flow())).status).toBe(200);
    });

    it('is a strike where the body names it, too', async () => {
      for (let miss = 0; miss < 3; miss++) {
        expect((await door.capture('', { flowId: randomUUID() })).status).toBe(404);
      }
      expect((await door.capture('', { flowId: flow() })).body).toMatchObject({ code: 'address_blocked' });
      expect((await door.post('pdf/render')).status).toBe(429);
    });
  });

  describe('with a key', () => {
    it('accepts only that key', async () => {
      const [mine, other] = [await door.newKey(), await door.newKey()];
      const id = flow({ apiKeyId: mine.id });
      expect((await door.predict(id, bearer(mine.key))).body).toMatchObject({
        flowId: id,
        apiKeyId: mine.id,
      });
      for (const headers of [{}, bearer(other.key), bearer(''), { Authorization: `Basic ${mine.key}` }]) {
        const answer = await door.predict(id, headers);
        expect(answer.status).toBe(401);
        expect(answer.body).toMatchObject({ code: 'invalid_api_key' });
        expect(answer.headers['www-authenticate']).toBe('Bearer');
      }
    });

    it('tells a missing key from a wrong one', async () => {
      const { id: apiKeyId } = await door.newKey();
      const id = flow({ apiKeyId });
      const refusal = async (headers?: Record<string, string>) =>
        (await door.predict(id, headers)).body as { code: string; message: string };
      expect((await refusal()).message).toMatch(/^This needs the API key .* Send it as/);
      expect((await refusal({ Authorization: 'Basic eDp5' })).message).toBe((await refusal()).message);
      expect((await refusal(bearer('fk_wrong'))).message).toMatch(/^The API key is not valid here/);
    });

    it('does not count a wrong key toward the address block', async () => {
      const { id: apiKeyId, key } = await door.newKey();
      const id = flow({ apiKeyId });
      for (let call = 0; call < 10; call++)
        expect((await door.predict(id, bearer('fk_wrong'))).status).toBe(401);
      expect((await door.predict(id, bearer(key))).status).toBe(200);
    });

    it('is closed to everybody once the key is revoked', async () => {
      const { id: apiKeyId, key } = await door.newKey();
      const id = flow({ apiKeyId });
      await door.revoke(apiKeyId);
      expect((await door.predict(id, bearer(key))).status).toBe(401);
      expect((await door.predict(id)).status).toBe(401);
      expect((await door.predict(flow({ apiKeyId: 'never made' }), bearer(key))).status).toBe(401);
    });

    it('lets its key, and the admin key, see what belongs to the flow', async () => {
      const [mine, other] = [await door.newKey(), await door.newKey()];
      const see = async (flowId: string, key?: string) => {
        const answer = await door
          .get('see')
          .query({ flowId })
          .set(key ? bearer(key) : {});
        return (answer.body as { may: boolean }).may;
      };
      const keyed = flow({ apiKeyId: mine.id });
      expect(await see(keyed, mine.key)).toBe(true);
      expect(await see(keyed, 'ak_of_the_access_tests')).toBe(true);
      expect(await see(keyed, other.key)).toBe(false);
      expect(await see(keyed)).toBe(false);
      expect(await see(flow(), mine.key)).toBe(false);
    });
  });

  it('that is open ignores whatever Authorization says', async () => {
    const { key } = await door.newKey();
    const answer = await door.predict(flow(), bearer(key));
    expect(answer.status).toBe(200);
    expect(answer.body).not.toHaveProperty('apiKeyId');
  });

  describe('with allowed domains', () => {
    const listed = () => flow({ allowedDomains: ['shop.example'] });

    it.each([
      ['the listed page', { Origin: 'https://shop.example' }, 200],
      ['the listed page by its Referer', { Referer: 'https://shop.example/cart' }, 200],
      ['another page', { Origin: 'https://evil.example' }, 403],
      ['another page by its Referer', { Referer: 'https://evil.example/?shop.example' }, 403],
      ['a page without an origin', { Origin: 'null' }, 403],
      ['a server caller', {}, 200],
      ['the service’s own page by PUBLIC_URL', { Origin: 'https://chat.example.net' }, 200],
    ])('answers %s as documented', async (_, headers, status) => {
      const answer = await door.predict(listed(), headers);
      expect(answer.status).toBe(status);
      if (status === 403) expect(answer.body).toMatchObject({ code: 'domain_not_allowed' });
    });

    it('takes no other page for its own where PUBLIC_URL is set', async () => {
      expect((await door.predict(listed(), { Origin: door.url })).status).toBe(403);
    });

    it('takes any page when the list is empty, also one without an origin', async () => {
      expect((await door.predict(flow(), { Origin: 'null' })).status).toBe(200);
    });

    it('asks the key first', async () => {
      const id = flow({ apiKeyId: 'any', allowedDomains: ['shop.example'] });
      expect((await door.predict(id, { Origin: 'https://evil.example' })).status).toBe(401);
    });
  });

  it('through its share link needs a public flow', async () => {
    const link = { 'X-Share-Link': 'true' };
    const answer = await door.predict(flow(), link);
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ code: 'share_link_not_public' });
    expect((await door.predict(flow({ public: true }), link)).body).toMatchObject({ viaShareLink: true });
    expect((await door.predict(flow({ public: true }))).body).toMatchObject({ viaShareLink: false });
  });

  it('that is switched off is 503 after 401 and 403, and before the rate limit, and no strike', async () => {
    const off = (access: Parameters<typeof flow>[0] = {}) => flow(access, false);
    const disabled = off({ rateLimit: { limit: 1, windowSeconds: 60 } });
    for (let call = 0; call < 5; call++) {
      const answer = await door.predict(disabled);
      expect([answer.status, answer.body.code]).toEqual([503, 'flow_disabled']);
      expect(answer.headers['ratelimit-remaining']).toBe('1');
    }
    expect((await door.capture('', { flowId: disabled })).status).toBe(503);
    expect((await door.get(`public-chatbotConfig/${disabled}`)).status).toBe(503);
    expect((await door.predict(off({ apiKeyId: 'any' }))).status).toBe(401);
    const elsewhere = off({ allowedDomains: ['shop.example'] });
    expect((await door.predict(elsewhere, { Origin: 'null' })).status).toBe(403);
    expect((await door.predict(flow())).status).toBe(200);
  });

  it('is refused before the body is read', async () => {
    const before = door.bodiesRead;
    await door.predict(randomUUID());
    await door.predict(flow({ apiKeyId: 'any' }));
    await door.predict(flow({ allowedDomains: ['shop.example'] }), { Origin: 'null' });
    await door.predict(flow({}, false));
    expect(door.bodiesRead).toBe(before);
  });
});
