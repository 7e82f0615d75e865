import { bearer, flow, GuardedService } from '../../../test/support/guarded-service.js';

describe('the rate limit of a flow', () => {
  const door = new GuardedService();
  const rateLimit = { limit: 2, windowSeconds: 60 };

  it('refuses what the window has no room for, and says so on every answer', async () => {
    const id = flow({ rateLimit: { ...rateLimit, message: 'Slow down, please.' } });
    const first = await door.predict(id);
    expect(first.headers).toMatchObject({
      'ratelimit-limit': '2',
      'ratelimit-remaining': '1',
      'ratelimit-reset': '60',
    });
    expect((await door.predict(id)).headers['ratelimit-remaining']).toBe('0');
    const refusal = await door.predict(id);
    expect(refusal.status).toBe(429);
    expect(refusal.body).toMatchObject({ code: 'rate_limited', message: 'Slow down, please.' });
    expect(refusal.headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '0' });
    const retryAfter = Number(refusal.headers['retry-after']);
    expect(retryAfter).toBeGreaterThan(30);
    expect(retryAfter).toBeLessThanOrEqual(60);
  });

  it('counts per address on an open flow: an unchecked header buys no new budget', async () => {
    const id = flow({ rateLimit });
    for (let call = 0; call < 2; call++) await door.predict(id, bearer(`fk_${call}`));
    expect((await door.predict(id, bearer('fk_fresh'))).status).toBe(429);
    door.address = '192.0.2.200';
    expect((await door.predict(id)).status).toBe(200);
  });

  it('counts per key on a keyed flow, from whatever address', async () => {
    const { id: apiKeyId, key } = await door.newKey();
    const id = flow({ apiKeyId, rateLimit });
    for (const last of [201, 202]) {
      door.address = `192.0.2.${last}`;
      expect((await door.predict(id, bearer(key))).status).toBe(200);
    }
    door.address = '192.0.2.203';
    expect((await door.predict(id, bearer(key))).status).toBe(429);
  });

  it('does not count calls that key or domain refuse, and tells them no key’s use', async () => {
    const { id: apiKeyId, key } = await door.newKey();
    const id = flow({ apiKeyId, rateLimit, allowedDomains: ['shop.example'] });
    await door.predict(id, bearer(key));
    for (let call = 0; call < 5; call++) {
      expect((await door.predict(id)).headers['ratelimit-remaining']).toBe('2');
      const refused = await door.predict(id, { ...bearer(key), Origin: 'https://evil.example' });
      expect([refused.status, refused.headers['ratelimit-remaining']]).toEqual([403, '1']);
    }
    expect((await door.predict(id, bearer(key))).status).toBe(200);
  });

  it('counts once, whether capture names the flow in its query, its body or both', async () => {
    const id = flow({ rateLimit });
    expect((await door.capture(`?flowId=${id}`, { flowId: id })).headers['ratelimit-remaining']).toBe('1');
    expect((await door.capture('', { flowId: id })).headers['ratelimit-remaining']).toBe('0');
    expect((await door.capture(`?flowId=${id}`, { flowId: id })).status).toBe(429);
  });

  it('of 100 calls at once accepts exactly as many as it allows', async () => {
    const id = flow({ rateLimit: { limit: 20, windowSeconds: 60 } });
    const answers = await Promise.all(Array.from({ length: 100 }, () => door.predict(id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  });
});

describe('the rate limit of renders', () => {
  const door = new GuardedService();

  it('is per address and minute', async () => {
    const render = () => door.post('pdf/render');
    expect((await render()).headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '1' });
    await render();
    const refusal = await render();
    expect(refusal.status).toBe(429);
    expect(refusal.body).toMatchObject({ code: 'rate_limited' });
    expect(Number(refusal.headers['retry-after'])).toBeLessThanOrEqual(60);
    door.address = '192.0.2.210';
    expect((await render()).status).toBe(200);
  });
});
