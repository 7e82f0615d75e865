import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CrossOrigin } from '../src/common/http/cors.js';
import { RouteTable } from '../src/common/http/route-table.js';
import { readRoutes } from '../src/console/api-docs/read-routes.js';
import { Recorded } from '../src/executions/arrival/recorded-routes.js';
import { startTestApp, type TestApp } from './support/app.js';
import { contractRoutes, unnamed } from './support/contract-routes.js';

const shop = 'https://shop.example';

/** Each route declares who may read its answers, and whether it leaves a record: these are all of them. */
describe('the declarations of routes', () => {
  let service: TestApp;
  let table: RouteTable;

  beforeAll(async () => {
    service = await startTestApp();
    table = service.app.get(RouteTable);
  });
  afterAll(() => service.close());

  const call = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
    fetch(service.url + path, { method, headers: { origin: shop, ...headers } });
  const isReadable = async (path: string, method?: string) =>
    (await call(path, method)).headers.get('access-control-allow-origin') === shop;

  it('list the routes that pages of any origin may call', () => {
    const named = table.withDecorator(CrossOrigin).map(({ route }) => `${route.method} ${route.path}`);
    expect(named.sort()).toEqual([
      'GET /api/v1/chatflows-streaming/:flowId',
      'GET /api/v1/chatmessage/:flowId',
      'GET /api/v1/get-upload-file',
      'GET /api/v1/openai/models',
      'GET /api/v1/prediction/:flowId/runs/:name',
      'GET /api/v1/prediction/:flowId/stream',
      'GET /api/v1/public-chatbotConfig/:flowId',
      'POST /api/v1/attachments/:flowId/:chatId',
      'POST /api/v1/feedback/:flowId',
      'POST /api/v1/inspection/capture',
      'POST /api/v1/leads',
      'POST /api/v1/openai/chat/completions',
      'POST /api/v1/openai/responses',
      'POST /api/v1/pdf/render',
      'POST /api/v1/prediction/:flowId',
      'PUT /api/v1/chatmessage/abort/:flowId/:chatId',
      'PUT /api/v1/feedback/:feedbackId',
    ]);
  });

  it('list the routes that leave a record', () => {
    const named = table
      .withDecorator(Recorded)
      .map(({ route, value: said }) => [`${route.method} ${route.path}`, said.kind]);
    expect(named.sort()).toEqual([
      ['POST /api/v1/flows/:flowId/run', 'prediction'],
      ['POST /api/v1/inspection/capture', 'capture'],
      ['POST /api/v1/openai/chat/completions', 'prediction'],
      ['POST /api/v1/openai/responses', 'prediction'],
      ['POST /api/v1/pdf/render', 'render'],
      ['POST /api/v1/pdf/reports/:id/editions', 'render'],
      ['POST /api/v1/prediction/:flowId', 'prediction'],
    ]);
  });

  it('list the routes without a guard that their documentation does not restrict', () => {
    const open = readRoutes(table).filter(({ access, note }) => access === 'none' && !note?.access);
    expect(open.map(({ name }) => name).sort()).toEqual([
      'GET /',
      'GET /api/v1/pdf/renders/{id}',
      'GET /api/v1/pdf/seal',
      'GET /chat/icon-192.png',
      'GET /chat/icon-512.png',
      'GET /chat/icon-maskable.png',
      'GET /chat/offline.html',
      'GET /chat/worker.js',
      'GET /console',
      'GET /console/{area}',
      'GET /console/{area}/{item}',
      'GET /console/{area}/{item}/{part}',
      'GET /docs',
      'GET /health/live',
      'GET /health/ready',
      'GET /internal/processes/{processId}/streams/{token}/{seen}',
      'GET /metrics',
      'GET /verify',
      'GET /web/assets/{name}',
      'POST /api/v1/pdf/render',
    ]);
  });

  it('name each route of the API, with its method, in docs/contract.md', () => {
    const promised = contractRoutes(readFileSync(join(__dirname, '../docs/contract.md'), 'utf8'));
    const served = readRoutes(table).filter(({ path }) => path.startsWith('/api/'));
    expect(served.length).toBeGreaterThan(80);
    expect(served.map(({ name }) => name).filter((name) => !promised.has(unnamed(name)))).toEqual([]);
  });

  it.each([
    '/api/v1/prediction/none',
    '/api/v1/prediction',
    '/api/v1/prediction/none/x/y/z',
    '/api/v1/prediction/%E0%A4%A/stream',
    '/api/v1/pdf/render/',
  ])('let another page read the answer of %s, whatever its status', async (path) => {
    expect(await isReadable(path)).toBe(true);
  });

  it('distinguish the methods of one address: anybody leaves a lead, an admin reads it', async () => {
    for (const path of ['/api/v1/leads?x', '/api/v1/feedback/none'])
      expect([await isReadable(path, 'POST'), await isReadable(path)]).toEqual([true, false]);
    expect([
      await isReadable('/api/v1/feedback/none', 'PUT'),
      await isReadable('/api/v1/leads/none'),
    ]).toEqual([true, false]);
  });

  it.each([
    '/',
    '/api/v1/flows',
    '/api/v1/flows/none/run',
    '/api/v1/pdf/renders',
    '/api/v1/pdf/renders/none',
    '/api/v1/pdf/reports',
    '/api/v1/inspection/sessions',
    '/api/v1/predictions/none',
    '/x/api/v1/prediction/none',
  ])('hide the answer of %s from another page', async (path) => {
    expect(await isReadable(path)).toBe(false);
  });

  it('answer every preflight, and tell the page whether it may proceed', async () => {
    const preflight = async (path: string) => {
      const { status, headers } = await call(path, 'OPTIONS', { 'access-control-request-method': 'POST' });
      return [status, headers.get('access-control-allow-origin')];
    };
    expect(await preflight('/api/v1/prediction/none')).toEqual([204, shop]);
    expect(await preflight('/api/v1/flows')).toEqual([204, null]);
    expect(await preflight('/nothing')).toEqual([204, null]);
  });

  it('name the area in which a route is counted; unknown routes share one', async () => {
    const paths = ['/api/v1/assets', '/api/v1/flows/x/y/z', '/api/v1/no-such', '/flows', '/docs', '/no-such'];
    for (const path of paths) await (await call(path, 'DELETE')).arrayBuffer();
    const text = await (await call('/metrics')).text();
    const counted = [...text.matchAll(/http_requests_total\{area="([^"]*)",method="DELETE".*\} (\d+)/g)];
    expect(counted.map(([, area, count]) => [area, Number(count)]).sort()).toEqual([
      ['assets', 1],
      ['docs', 1],
      ['flows', 1],
      ['other', 3],
    ]);
  });
});
