import type { Request, Response } from 'express';
import type { AppConfig } from '../src/common/app-config.js';
import type { Readiness } from '../src/common/health/readiness.js';
import type { AdminGuard } from '../src/common/http/admin.guard.js';
import { InFlight } from '../src/common/http/in-flight.js';
import type { ProblemFilter } from '../src/common/http/problem.filter.js';
import { startTestApp, type TestApp } from './support/app.js';
import { type Answer, ServiceClient } from './support/service-client.js';

const NOBODY = { holdsAdminKey: () => false } as unknown as AdminGuard;
const page = { origin: 'https://shop.example' };

/** The router ignores case, so everything that is decided by an address beforehand must too. */
describe('an address in capitals', () => {
  let app: TestApp;
  const client = new ServiceClient(() => app);
  const readableBy = ({ headers }: Answer) => headers.get('access-control-allow-origin');

  beforeAll(async () => {
    app = await startTestApp();
  });

  afterAll(() => app.close());

  it.each([
    ['POST', 'API/v1/prediction/nothing'],
    ['POST', 'api/V1/PREDICTION/nothing'],
    ['GET', 'API/V1/OPENAI/MODELS'],
    ['DELETE', 'API/V1/Leads'],
  ])('is as public as its route: %s %s', async (method, path) => {
    const answer = await client.send(method, `/${path}`, method === 'POST' ? {} : undefined, page);
    expect(readableBy(answer)).toBe(page.origin);
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-Execution-Id');
  });

  it.each(['API/v1/flows', 'Api/V1/Executions', 'API/V1/credit/default'])(
    'is as closed to pages as its route: %s',
    async (path) => {
      const answer = await client.send('GET', `/${path}`, undefined, page);
      expect(answer.status).toBe(401);
      expect(readableBy(answer)).toBeNull();
    },
  );

  it('is counted in the area of its route', async () => {
    await client.send('GET', '/API/V1/Credit/default');
    const { text } = await client.send('GET', '/metrics');
    expect(text).toMatch(/http_requests_total\{area="credit",method="GET",status="401"\}/);
  });

  it('of the health routes is answered by a service at its limit of calls', () => {
    const full = { maxInFlight: 0 } as AppConfig;
    const problems = { answer: jest.fn() };
    const inFlight = new InFlight(full, problems as unknown as ProblemFilter, {} as Readiness, NOBODY);
    const next = jest.fn();
    for (const path of ['/HEALTH/live', '/health/Ready'])
      inFlight.limit({ path } as Request, {} as Response, next);
    expect(next).toHaveBeenCalledTimes(2);
    inFlight.limit({ path: '/API/v1/flows', ip: '10.0.0.1' } as Request, {} as Response, next);
    expect(problems.answer).toHaveBeenCalledTimes(1);
  });
});
