import { Controller, Get, HttpCode, Module, Post, Query, Req, UseGuards } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import type { Request } from 'express';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { makePlace, type TestPlace } from '../../test/support/databases.js';
import { appOptions, setUp } from '../app.setup.js';
import { AppConfig } from '../common/app-config.js';
import { CommonModule } from '../common/common.module.js';
import { Logger } from '../common/logger.js';
import { readJsonBody } from '../common/request-body.js';
import { ExecutionsModule } from '../executions/executions.module.js';
import { DatabaseModule } from '../database/database.module.js';
import type { Flow } from '../flows/definition/flow.js';
import { FlowStore } from '../flows/definition/flow-store.js';
import { AddressBlock } from './address-block/address-block.js';
import { ApiKeys } from './api-keys/api-keys.js';
import { DoorReadings } from './door-readings.js';
import { FlowAccess, FLOW_CHECKS } from './flow-access.decorator.js';
import { flowAccessOf } from './flow-access.js';
import { FlowDoor } from './flow-door.js';
import { AddressBlockGuard } from './guards/address-block.guard.js';
import { RenderRateGuard } from './guards/render-rate.guard.js';
import { FlowRateLimit } from './rate-limit/flow-rate-limit.js';
import { RateLimits } from './rate-limit/rate-limits.js';

const flows = new Map<string, Pick<Flow, 'id' | 'name' | 'access'>>();
let reads = 0;

/** A flow of a test's own. */
function flow(access: Partial<Flow['access']> = {}): string {
  const id = randomUUID();
  const open = { apiKeyId: null, allowedDomains: [], public: false, rateLimit: null };
  flows.set(id, { id, name: 'flow', access: { ...open, ...access } });
  return id;
}

/** Routes of every kind that asks for access. */
@Controller('api/v1')
class Rooms {
  constructor(private readonly door: FlowDoor) {}

  @Post('prediction/:flowId')
  @HttpCode(200)
  @FlowAccess()
  async predict(@Req() call: Request) {
    reads++;
    await readJsonBody(call, 1000);
    const { flow: granted, ...access } = flowAccessOf(call);
    return { flowId: granted.id, apiKeyId: access.apiKeyId, viaShareLink: access.viaShareLink };
  }

  @Post('inspection/capture')
  @HttpCode(200)
  @FlowAccess({ flowIdIn: 'query' })
  async capture(@Req() call: Request) {
    const body = (await readJsonBody(call, 1000)) as { flowId: string };
    const { flow: granted } = await this.door.admit(call, body.flowId);
    return { flowId: granted.id };
  }

  @Post('pdf/render')
  @HttpCode(200)
  @UseGuards(AddressBlockGuard, RenderRateGuard)
  render() {
    return {};
  }

  @Get('public-chatbotConfig/:flowId')
  @FlowAccess({ key: false, rateLimit: false, missCountsOnce: true })
  config() {
    return {};
  }

  @Get('see')
  async see(@Req() call: Request, @Query('flowId') flowId: string) {
    return { may: await this.door.maySee(call, flowId) };
  }
}

const find = async (id: string) => flows.get(id);
const kept = (id: string) => flows.get(id);

@Module({
  imports: [CommonModule, DatabaseModule, ExecutionsModule],
  controllers: [Rooms],
  providers: [
    DoorReadings,
    AddressBlock,
    ApiKeys,
    RateLimits,
    FlowRateLimit,
    FlowDoor,
    ...FLOW_CHECKS,
    { provide: FlowStore, useValue: { find, findAt: find, kept } },
  ],
})
class TestModule {}

describe('access to a flow', () => {
  let app: NestExpressApplication;
  let place: TestPlace;
  let url: string;
  let addresses = 0;
  let address: string;

  beforeAll(async () => {
    place = await makePlace('sqlite');
    const config = AppConfig.from({
      DATA_DIR: place.dataDir,
      DATABASE_URL: place.databaseUrl,
      ADMIN_API_KEY: 'ak_of_the_access_tests',
      PUBLIC_URL: 'https://chat.example.net',
      TRUST_PROXY: '1',
      RENDERS_PER_MINUTE: '2',
    });
    const module = await Test.createTestingModule({ imports: [TestModule] })
      .overrideProvider(AppConfig)
      .useValue(config)
      .compile();
    app = setUp(
      module.createNestApplication<NestExpressApplication>({ ...appOptions, logger: new Logger('silent') }),
    );
    await app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  });

  beforeEach(() => {
    address = `203.0.113.${++addresses}`;
  });

  afterAll(async () => {
    await app.close();
    await place.remove();
  });

  const from = (test: request.Test) => test.set('X-Forwarded-For', address);
  const predict = (id: string, headers: Record<string, string> = {}) =>
    from(request(url).post(`/api/v1/prediction/${id}`))
      .set(headers)
      .send({ question: 'Hello' });
  const capture = (query: string, body: object) =>
    from(request(url).post(`/api/v1/inspection/capture${query}`)).send(body);
  const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
  const newKey = (name = 'key') => app.get(ApiKeys).create(name);

  describe('that does not exist', () => {
    it('is 404, and the third 404 blocks the address with 429', async () => {
      for (let miss = 0; miss < 3; miss++) {
        const answer = await predict(randomUUID());
        expect(answer.status).toBe(404);
        expect(answer.body).toMatchObject({ code: 'flow_not_found' });
      }
      const answer = await predict(flow());
      expect(answer.status).toBe(429);
      expect(answer.body).toMatchObject({ code: 'address_blocked' });
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3590);
    });

    it.each(['%E0%A4%A', '..%2f..%2fetc', 'a%00b', 'x', `${'a'.repeat(65)}`, '__proto__', '%F0%9F%8F%A0'])(
      'may be called anything: %s is a strike like any other',
      async (id) => {
        for (let miss = 0; miss < 3; miss++) expect((await predict(id)).status).toBe(404);
        expect((await predict(id)).status).toBe(429);
      },
    );

    it('of 100 calls at once exactly three are 404 and 97 are 429', async () => {
      const answers = await Promise.all(Array.from({ length: 100 }, () => predict(randomUUID())));
      expect(answers.filter(({ status }) => status === 404)).toHaveLength(3);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(97);
    });

    it('counts once per address and id on client endpoints', async () => {
      const config = (id: string) => from(request(url).get(`/api/v1/public-chatbotConfig/${id}`));
      for (let call = 0; call < 8; call++) expect((await config('gone-flow')).status).toBe(404);
      expect((await config(flow())).status).toBe(200);
    });

    it('is a strike where the body names it, too', async () => {
      for (let miss = 0; miss < 3; miss++) {
        expect((await capture('', { flowId: randomUUID() })).status).toBe(404);
      }
      expect((await capture('', { flowId: flow() })).body).toMatchObject({ code: 'address_blocked' });
      expect((await from(request(url).post('/api/v1/pdf/render'))).status).toBe(429);
    });
  });

  describe('with a key', () => {
    it('accepts only that key', async () => {
      const [mine, other] = [await newKey(), await newKey()];
      const id = flow({ apiKeyId: mine.id });
      expect((await predict(id, bearer(mine.key))).body).toMatchObject({ flowId: id, apiKeyId: mine.id });
      for (const headers of [{}, bearer(other.key), bearer(''), { Authorization: `Basic ${mine.key}` }]) {
        const answer = await predict(id, headers);
        expect(answer.status).toBe(401);
        expect(answer.body).toMatchObject({ code: 'invalid_api_key' });
        expect(answer.headers['www-authenticate']).toBe('Bearer');
      }
    });

    it('does not count a wrong key toward the address block', async () => {
      const { id: apiKeyId, key } = await newKey();
      const id = flow({ apiKeyId });
      for (let call = 0; call < 10; call++) expect((await predict(id, bearer('fk_wrong'))).status).toBe(401);
      expect((await predict(id, bearer(key))).status).toBe(200);
    });

    it('is closed to everybody once the key is revoked', async () => {
      const { id: apiKeyId, key } = await newKey();
      const id = flow({ apiKeyId });
      await app.get(ApiKeys).revoke(apiKeyId);
      expect((await predict(id, bearer(key))).status).toBe(401);
      expect((await predict(id)).status).toBe(401);
      expect((await predict(flow({ apiKeyId: 'never made' }), bearer(key))).status).toBe(401);
    });

    it('lets its key, and the admin key, see what belongs to the flow', async () => {
      const [mine, other] = [await newKey(), await newKey()];
      const see = async (flowId: string, key?: string) => {
        const answer = await from(request(url).get('/api/v1/see').query({ flowId })).set(
          key ? bearer(key) : {},
        );
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
    const { key } = await newKey();
    const answer = await predict(flow(), bearer(key));
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
      const answer = await predict(listed(), headers);
      expect(answer.status).toBe(status);
      if (status === 403) expect(answer.body).toMatchObject({ code: 'domain_not_allowed' });
    });

    it('lets the page that this very host serves call', async () => {
      expect((await predict(listed(), { Origin: url })).status).toBe(200);
    });

    it('takes any page when the list is empty, also one without an origin', async () => {
      expect((await predict(flow(), { Origin: 'null' })).status).toBe(200);
    });

    it('asks the key first', async () => {
      const id = flow({ apiKeyId: 'any', allowedDomains: ['shop.example'] });
      expect((await predict(id, { Origin: 'https://evil.example' })).status).toBe(401);
    });
  });

  it('through its share link needs a public flow', async () => {
    const link = { 'X-Share-Link': 'true' };
    const answer = await predict(flow(), link);
    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({ code: 'share_link_not_public' });
    expect((await predict(flow({ public: true }), link)).body).toMatchObject({ viaShareLink: true });
    expect((await predict(flow({ public: true }))).body).toMatchObject({ viaShareLink: false });
  });

  describe('with a rate limit', () => {
    const rateLimit = { limit: 2, windowSeconds: 60 };

    it('refuses what the window has no room for, and says so on every answer', async () => {
      const id = flow({ rateLimit: { ...rateLimit, message: 'Slow down, please.' } });
      const first = await predict(id);
      expect(first.headers).toMatchObject({
        'ratelimit-limit': '2',
        'ratelimit-remaining': '1',
        'ratelimit-reset': '60',
      });
      expect((await predict(id)).headers['ratelimit-remaining']).toBe('0');
      const refusal = await predict(id);
      expect(refusal.status).toBe(429);
      expect(refusal.body).toMatchObject({ code: 'rate_limited', message: 'Slow down, please.' });
      expect(refusal.headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '0' });
      const retryAfter = Number(refusal.headers['retry-after']);
      expect(retryAfter).toBeGreaterThan(55);
      expect(retryAfter).toBeLessThanOrEqual(60);
    });

    it('counts per address on an open flow: an unchecked header buys no new budget', async () => {
      const id = flow({ rateLimit });
      for (let call = 0; call < 2; call++) await predict(id, bearer(`fk_${call}`));
      expect((await predict(id, bearer('fk_fresh'))).status).toBe(429);
      address = '192.0.2.200';
      expect((await predict(id)).status).toBe(200);
    });

    it('counts per key on a keyed flow, from whatever address', async () => {
      const { id: apiKeyId, key } = await newKey();
      const id = flow({ apiKeyId, rateLimit });
      for (const last of [201, 202]) {
        address = `192.0.2.${last}`;
        expect((await predict(id, bearer(key))).status).toBe(200);
      }
      address = '192.0.2.203';
      expect((await predict(id, bearer(key))).status).toBe(429);
    });

    it('does not count calls that key or domain refuse, and tells them no key’s use', async () => {
      const { id: apiKeyId, key } = await newKey();
      const id = flow({ apiKeyId, rateLimit, allowedDomains: ['shop.example'] });
      await predict(id, bearer(key));
      for (let call = 0; call < 5; call++) {
        expect((await predict(id)).headers['ratelimit-remaining']).toBe('2');
        const refused = await predict(id, { ...bearer(key), Origin: 'https://evil.example' });
        expect([refused.status, refused.headers['ratelimit-remaining']]).toEqual([403, '1']);
      }
      expect((await predict(id, bearer(key))).status).toBe(200);
    });

    it('counts once, whether capture names the flow in its query, its body or both', async () => {
      const id = flow({ rateLimit });
      expect((await capture(`?flowId=${id}`, { flowId: id })).headers['ratelimit-remaining']).toBe('1');
      expect((await capture('', { flowId: id })).headers['ratelimit-remaining']).toBe('0');
      expect((await capture(`?flowId=${id}`, { flowId: id })).status).toBe(429);
    });

    it('of 100 calls at once accepts exactly as many as it allows', async () => {
      const id = flow({ rateLimit: { limit: 20, windowSeconds: 60 } });
      const answers = await Promise.all(Array.from({ length: 100 }, () => predict(id)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    });
  });

  it('is refused before the body is read', async () => {
    const before = reads;
    await predict(randomUUID());
    await predict(flow({ apiKeyId: 'any' }));
    await predict(flow({ allowedDomains: ['shop.example'] }), { Origin: 'null' });
    expect(reads).toBe(before);
  });

  it('renders are limited per address and minute', async () => {
    const render = () => from(request(url).post('/api/v1/pdf/render'));
    expect((await render()).headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '1' });
    await render();
    const refusal = await render();
    expect(refusal.status).toBe(429);
    expect(refusal.body).toMatchObject({ code: 'rate_limited' });
    expect(Number(refusal.headers['retry-after'])).toBeLessThanOrEqual(60);
    address = '192.0.2.210';
    expect((await render()).status).toBe(200);
  });
});
