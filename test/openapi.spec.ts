import { z } from 'zod';
import { startTestApp, type TestApp } from './support/app.js';
import { ServiceClient } from './support/service-client.js';

interface Operation {
  summary: string;
  security: Record<string, never[]>[];
  parameters?: { name: string; in: string; example?: string; schema: object }[];
  requestBody?: {
    content: Record<string, { schema: object; examples?: Record<string, { value: unknown }> }>;
  };
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>;
}

interface Description {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: object };
}

/** What of Express's router is looked at. */
interface RouterLayer {
  route?: { path: string; methods: Record<string, boolean> };
}

jest.setTimeout(30_000);

describe('the API description', () => {
  let service: TestApp;
  let description: Description;
  const client = new ServiceClient(() => service);

  const operations = () =>
    Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        operation,
      })),
    );

  /** Whether a value is what a schema of the description says. */
  const fits = (schema: object, value: unknown) => {
    const whole = { ...schema, $defs: description.components.schemas };
    const text = JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/');
    return z.fromJSONSchema(JSON.parse(text) as Parameters<typeof z.fromJSONSchema>[0]).safeParse(value);
  };

  beforeAll(async () => {
    service = await startTestApp({ env: { SAMPLES: 'on' } });
    description = (await client.send('GET', '/openapi.json')).body as Description;
  });

  afterAll(() => service.close());

  it('has every route of the application, and no other', () => {
    const { stack } = (
      service.app.getHttpAdapter().getInstance() as unknown as { router: { stack: RouterLayer[] } }
    ).router;
    const served = stack.flatMap(({ route }) =>
      route === undefined
        ? []
        : Object.keys(route.methods).map(
            (method) => `${method.toUpperCase()} ${route.path.replaceAll(/:(\w+)/g, '{$1}')}`,
          ),
    );
    const own = ['GET /openapi.json', 'GET /docs', 'GET /docs/start.js'];
    expect(
      operations()
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...new Set(served)].filter((name) => !own.includes(name)).sort());
  });

  it('says of every route what it is for, who may call, and what it answers', () => {
    expect(description.openapi).toBe('3.1.0');
    for (const { name, operation } of operations()) {
      expect([name, operation.summary]).not.toEqual([name, name]);
      expect([name, operation.security.length > 0]).toEqual([name, true]);
      const successes = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
      expect([name, successes.length > 0]).toEqual([name, true]);
      expect(Object.keys(operation.responses)).toContain('500');
    }
  });

  it('asks for the admin key exactly where a call without it is refused', async () => {
    for (const { name, method, path, operation } of operations()) {
      const address = path.replaceAll(/\{\w+\}/g, 'nothing-here');
      if (address.includes('nothing-here') && operation.security.some((way) => 'flowKey' in way)) continue;
      const { body } = await client.send(method, address);
      const adminOnly = JSON.stringify(operation.security) === '[{"adminKey":[]}]';
      expect([name, body?.code === 'invalid_admin_key']).toEqual([name, adminOnly]);
    }
  });

  it('describes a body for every route that takes one', () => {
    const without = operations().filter(
      ({ method, operation }) => (method === 'POST' || method === 'PUT') && !operation.requestBody,
    );
    expect(without.map(({ name }) => name)).toEqual([
      'PUT /api/v1/chatmessage/abort/{flowId}/{chatId}',
      'POST /api/v1/executions/{id}/cancel',
      'POST /api/v1/pdf/reports/{id}/redraw',
    ]);
  });

  it('has examples that fit their schemas and work as they stand, and answers that fit theirs', async () => {
    let sent = 0;
    for (const { name, method, path, operation } of operations()) {
      const json = operation.requestBody?.content['application/json'];
      for (const [example, { value }] of Object.entries(json?.examples ?? {})) {
        expect([name, example, fits(json!.schema, value).error?.issues]).toEqual([name, example, undefined]);
        const examples = new Map(
          operation.parameters?.map((parameter) => [parameter.name, parameter.example]),
        );
        const address = path.replaceAll(
          /\{(\w+)\}/g,
          (whole, parameter: string) => examples.get(parameter) ?? whole,
        );
        if (address.includes('{')) continue;
        const answer = await client.send(method, address, value, {
          authorization: `Bearer ${service.adminKey}`,
        });
        expect([name, example, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([
          name,
          example,
          200,
          '',
        ]);
        sent++;
        const promised = operation.responses['200']?.content?.['application/json']?.schema;
        if (promised && answer.body !== undefined)
          expect([name, fits(promised, answer.body).error?.issues]).toEqual([name, undefined]);
      }
    }
    expect(sent).toBeGreaterThan(12);
  });

  it('describes what the lists answer', async () => {
    let asked = 0;
    for (const { name, method, path, operation } of operations()) {
      const schema = operation.responses['200']?.content?.['application/json']?.schema;
      const address = path.replaceAll('{account}', 'default');
      if (method !== 'GET' || !schema || address.includes('{')) continue;
      const answer = await client.send('GET', address, undefined, {
        authorization: `Bearer ${service.adminKey}`,
      });
      if (answer.status !== 200) continue;
      expect([name, fits(schema, answer.body).error?.issues]).toEqual([name, undefined]);
      asked++;
    }
    expect(asked).toBeGreaterThan(9);
  });

  it('describes the one error shape, and the service keeps to it', async () => {
    const { body } = await client.predict('no-such-flow', { question: 'x' });
    expect(fits(description.components.schemas['Problem']!, body).success).toBe(true);
    expect(fits(description.components.schemas['Problem']!, { ...body, code: 'made_up' }).success).toBe(
      false,
    );
  });

  it('is shown at /docs by files of this service alone, under its usual content policy', async () => {
    const page = await client.send('GET', '/docs');
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    const links = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
    expect(links).toHaveLength(4);
    for (const link of links) {
      expect(link.startsWith('/docs/')).toBe(true);
      expect([link, (await client.send('GET', link)).status]).toEqual([link, 200]);
    }
    expect((await client.send('GET', '/docs/package.json')).status).toBe(404);
  });
});
