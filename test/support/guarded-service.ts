import { Controller, Get, HttpCode, Module, Post, Query, Req, UseGuards } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Request } from 'express';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { appOptions, setUp } from '../../src/app.setup.js';
import { AccessCache } from '../../src/auth/access-cache.js';
import { AddressBlock } from '../../src/auth/address-block/address-block.js';
import {
  AddressMissEntity,
  AddressStrikeEntity,
} from '../../src/auth/address-block/address-strike.entity.js';
import { ApiKeyEntity } from '../../src/auth/api-keys/api-key.entity.js';
import { ApiKeys } from '../../src/auth/api-keys/api-keys.js';
import { flowAccessOf } from '../../src/auth/flow-call.js';
import { AddressBlockGuard } from '../../src/auth/guards/address-block.guard.js';
import { FLOW_CHECKS, FlowAccess, RequiresFlowAccess } from '../../src/auth/guards/flow-access.js';
import { RenderRateGuard } from '../../src/auth/guards/render-rate.guard.js';
import { FlowRateLimit } from '../../src/auth/rate-limit/flow-rate-limit.js';
import { RateLimits } from '../../src/auth/rate-limit/rate-limits.js';
import { AppConfig } from '../../src/common/app-config.js';
import { readJsonBody } from '../../src/common/bodies/request-body.js';
import { CommonModule } from '../../src/common/common.module.js';
import { Logger } from '../../src/common/logger.js';
import { DatabaseModule } from '../../src/database/database.module.js';
import { ExecutionsModule } from '../../src/executions/executions.module.js';
import type { Flow } from '../../src/flows/definition/flow.js';
import { FlowStore } from '../../src/flows/store/flow-store.js';
import { makePlace, type TestPlace } from './databases.js';

const ENTITIES = [ApiKeyEntity, AddressStrikeEntity, AddressMissEntity];

type GuardedFlow = Pick<Flow, 'id' | 'name' | 'access'> & { definition: { enabled: boolean } };

const flows = new Map<string, GuardedFlow>();
let bodiesRead = 0;

/** Adds a flow of a test's own; returns its id. */
export function flow(access: Partial<Flow['access']> = {}, enabled = true): string {
  const id = randomUUID();
  const open = { apiKeyId: null, allowedDomains: [], public: false, rateLimit: null };
  flows.set(id, { id, name: 'flow', access: { ...open, ...access }, definition: { enabled } });
  return id;
}

/** Routes with each kind of access check. */
@Controller('api/v1')
class GuardedRoutes {
  constructor(private readonly access: FlowAccess) {}

  @Post('prediction/:flowId')
  @HttpCode(200)
  @RequiresFlowAccess()
  async predict(@Req() call: Request) {
    bodiesRead++;
    await readJsonBody(call, 1000);
    const { flow: granted, ...access } = flowAccessOf(call);
    return { flowId: granted.id, apiKeyId: access.apiKeyId, viaShareLink: access.viaShareLink };
  }

  @Post('inspection/capture')
  @HttpCode(200)
  @RequiresFlowAccess({ flowIdIn: 'query' })
  async capture(@Req() call: Request) {
    const body = (await readJsonBody(call, 1000)) as { flowId: string };
    const { flow: granted } = await this.access.admit(call, body.flowId);
    return { flowId: granted.id };
  }

  @Post('pdf/render')
  @HttpCode(200)
  @UseGuards(AddressBlockGuard, RenderRateGuard)
  render() {
    return {};
  }

  @Get('public-chatbotConfig/:flowId')
  @RequiresFlowAccess({ key: false, rateLimit: false, missCountsOnce: true })
  config() {
    return {};
  }

  @Get('see')
  async see(@Req() call: Request, @Query('flowId') flowId: string) {
    return { may: (await this.access.refusalToRead(call, [flowId])) === undefined };
  }
}

const find = async (id: string) => flows.get(id);
const stored = (id: string) => flows.get(id);

@Module({
  imports: [CommonModule, DatabaseModule, ExecutionsModule, TypeOrmModule.forFeature(ENTITIES)],
  controllers: [GuardedRoutes],
  providers: [
    AccessCache,
    AddressBlock,
    ApiKeys,
    RateLimits,
    FlowRateLimit,
    FlowAccess,
    ...FLOW_CHECKS,
    { provide: FlowStore, useValue: { find, findAt: find, cached: stored } },
  ],
})
class TestModule {}

export const bearer = (key: string): Record<string, string> => ({ Authorization: `Bearer ${key}` });

/** A service that has only guarded routes, and calls to it; each test uses a client address of its own. */
export class GuardedService {
  private app!: NestExpressApplication;
  private place!: TestPlace;
  url = '';
  private addresses = 0;
  /** Client address of the calls. */
  address = '';

  /** To be constructed in a `describe`. */
  constructor() {
    beforeAll(() => this.start());
    beforeEach(() => void (this.address = `203.0.113.${++this.addresses}`));
    afterAll(async () => {
      await this.app.close();
      await this.place.remove();
    });
  }

  predict(id: string, headers: Record<string, string> = {}): request.Test {
    return this.post(`prediction/${id}`).set(headers).send({ question: 'Hello' });
  }

  capture(query: string, body: object): request.Test {
    return this.post(`inspection/capture${query}`).send(body);
  }

  post(path: string): request.Test {
    return this.from(request(this.url).post(`/api/v1/${path}`));
  }

  get(path: string): request.Test {
    return this.from(request(this.url).get(`/api/v1/${path}`));
  }

  newKey(): ReturnType<ApiKeys['create']> {
    return this.app.get(ApiKeys).create('key');
  }

  revoke(keyId: string): ReturnType<ApiKeys['revoke']> {
    return this.app.get(ApiKeys).revoke(keyId);
  }

  /** Counts the bodies that the routes have read. */
  get bodiesRead(): number {
    return bodiesRead;
  }

  private from(call: request.Test): request.Test {
    return call.set('X-Forwarded-For', this.address);
  }

  private async start(): Promise<void> {
    this.place = await makePlace('sqlite');
    const config = AppConfig.from({
      DATA_DIR: this.place.dataDir,
      DATABASE_URL: this.place.databaseUrl,
      ADMIN_API_KEY: 'ak_of_the_access_tests',
      PUBLIC_URL: 'https://chat.example.net',
      TRUST_PROXY: '1',
      RENDERS_PER_MINUTE: '2',
    });
    const module = await Test.createTestingModule({ imports: [TestModule] })
      .overrideProvider(AppConfig)
      .useValue(config)
      .compile();
    this.app = setUp(
      module.createNestApplication<NestExpressApplication>({ ...appOptions, logger: new Logger('silent') }),
    );
    await this.app.listen(0, '127.0.0.1');
    this.url = `http://127.0.0.1:${(this.app.getHttpServer().address() as AddressInfo).port}`;
  }
}
