import { readdirSync, readFileSync } from 'node:fs';
import { get, STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { type ProblemCode, statusOfCode } from '../src/api/problems.js';
import { startTestApp, type TestApp } from './support/app.js';
import { ServiceClient } from './support/service-client.js';

interface Operation {
  summary: string;
  security: Record<string, never[]>[];
  parameters?: { name: string; in: string; required: boolean; example?: string; schema: object }[];
  requestBody?: {
    content: Record<
      string,
      { schema: { properties?: object }; examples?: Record<string, { value: unknown }> }
    >;
  };
  responses: Record<
    string,
    {
      description: string;
      headers?: object;
      content?: Record<string, { schema: object; examples?: Record<string, { value: unknown }> }>;
    }
  >;
}

interface Description {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: object };
}

/** The part of Express's router that the tests read. */
interface RouterLayer {
  route?: { path: string; methods: Record<string, boolean> };
}

const SOURCES = join(__dirname, '..', 'src');

const PHOTOGRAPH = join(__dirname, '..', 'samples', 'photographs', 'hallway.jpg');

/** Headers of answers that programs act on. */
const TOLD = /^(x-execution-id|retry-after|idempotent-replay|location|preference-applied|ratelimit-\w+)$/;

const RATE = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];

/** The place where an error is created, with its code. */
const THROWN = /(?:ServiceError|super)\(\s*'(\w+)'/g;

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

  /** Returns true if a value matches a schema of the description. */
  const fits = (schema: object, value: unknown) => {
    const whole = { ...schema, $defs: description.components.schemas };
    const text = JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/');
    return z.fromJSONSchema(JSON.parse(text) as Parameters<typeof z.fromJSONSchema>[0]).safeParse(value);
  };

  /** Fetches the raw bytes of an answer. */
  const raw = (path: string, accept: string) =>
    new Promise<{ encoding: string | undefined; vary: string | undefined; body: Buffer }>(
      (resolve, reject) => {
        const headers = { 'accept-encoding': accept };
        get(service.url + path, { headers, agent: false }, (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () => {
            const { 'content-encoding': encoding, vary } = answer.headers;
            resolve({ encoding, vary, body: Buffer.concat(chunks) });
          });
        }).on('error', reject);
      },
    );

  beforeAll(async () => {
    service = await startTestApp({ env: { SAMPLES: 'on' } });
    description = (await client.send('GET', '/openapi.json')).body as Description;
  });

  afterAll(() => service.close());

  it('contains every route of the application except those between its processes, and no other', () => {
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
    expect(
      operations()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(
      [...new Set(served)].filter((name) => !/^GET \/(openapi\.json|internal\/.*)$/.test(name)).sort(),
    );
  });

  it('states for every route its purpose, its callers and its answers', () => {
    expect(description.openapi).toBe('3.1.0');
    for (const { name, operation } of operations()) {
      expect([name, operation.summary]).not.toEqual([name, name]);
      expect([name, operation.security.length > 0]).toEqual([name, true]);
      const successes = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
      expect([name, successes.length > 0]).toEqual([name, true]);
      expect(Object.keys(operation.responses)).toContain('500');
    }
  });

  it('requires the admin key exactly if a call without it is refused', async () => {
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

  it('has examples that match their schemas and work as shown, and answers that match theirs', async () => {
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

  it('describes the answers of the lists', async () => {
    let checked = 0;
    for (const { name, method, path, operation } of operations()) {
      const schema = operation.responses['200']?.content?.['application/json']?.schema;
      const address = path.replaceAll('{account}', 'default');
      if (method !== 'GET' || !schema || address.includes('{')) continue;
      const answer = await client.send('GET', address, undefined, {
        authorization: `Bearer ${service.adminKey}`,
      });
      if (answer.status !== 200) continue;
      expect([name, fits(schema, answer.body).error?.issues]).toEqual([name, undefined]);
      checked++;
    }
    expect(checked).toBeGreaterThan(9);
  });

  it('gives each error of its examples the title that the service uses', () => {
    const examples = operations()
      .flatMap(({ operation }) => Object.values(operation.responses))
      .flatMap(({ content }) => Object.values(content?.['application/problem+json']?.examples ?? {}))
      .map(({ value }) => value as { status: number; title: string });
    expect(new Set(examples.map(({ status }) => status)).size).toBeGreaterThan(12);
    for (const { status, title } of examples)
      expect([status, title]).toEqual([status, STATUS_CODES[status] ?? 'Error']);
  });

  it('lists every thrown code, under its status', () => {
    const described = operations().flatMap(({ operation }) =>
      Object.entries(operation.responses).flatMap(([status, { content }]) =>
        Object.keys(content?.['application/problem+json']?.examples ?? {}).map((code) => `${status} ${code}`),
      ),
    );
    const thrown = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      // A failed fetch is reported for a photograph or a node, never as the answer.
      .filter((file) => /(?<!\.spec)\.ts$/.test(file) && !file.endsWith('outbound-response.ts'))
      .flatMap((file) => [...readFileSync(join(SOURCES, file), 'utf8').matchAll(THROWN)])
      .map(([, code]) => `${statusOfCode(code as ProblemCode)} ${code}`);
    expect(thrown.length).toBeGreaterThan(30);
    // A wrong method is no answer of a route, and no client waits for a late answer, or for that of a deleted flow.
    const others = thrown.filter((name) => !described.includes(name));
    expect(others.sort()).toEqual(['405 method_not_allowed', '410 approval_expired', '500 flow_deleted']);
  });

  it.each([
    ['/api/v1/credit/{account}', '/api/v1/credit/a%0Ab', 400],
    ['/web/assets/{name}', '/web/assets/none.js', 404],
  ])('declares the refusal of a broken address: %s', async (template, path, status) => {
    const authorization = `Bearer ${service.adminKey}`;
    expect((await client.send('GET', path, undefined, { authorization })).status).toBe(status);
    expect(description.paths[template]!['get']!.responses).toHaveProperty(String(status));
  });

  it('describes the one error format, which the service follows', async () => {
    const { body } = await client.predict('no-such-flow', { question: 'x' });
    expect(fits(description.components.schemas['Problem']!, body).success).toBe(true);
    expect(fits(description.components.schemas['Problem']!, { ...body, code: 'made_up' }).success).toBe(
      false,
    );
  });

  describe('of real calls', () => {
    const CAPTURE = 'POST /api/v1/inspection/capture';
    const RENDER = 'POST /api/v1/pdf/render';
    const PREDICT = 'POST /api/v1/prediction/{flowId}';
    const photograph = { name: 'a.jpg', data: readFileSync(PHOTOGRAPH, 'base64') };
    let limited: string;

    const operation = (name: string) => operations().find((one) => one.name === name)!.operation;

    /** Returns the headers of an answer that programs act on, and checks that all of them are declared. */
    const headersOf = (name: string, { status, headers }: { status: number; headers: Headers }) => {
      const present = [...headers.keys()].filter((header) => TOLD.test(header)).sort();
      const declared = Object.keys(operation(name).responses[String(status)]?.headers ?? {});
      const known = declared.map((header) => header.toLowerCase());
      expect([name, status, present.filter((header) => !known.includes(header))]).toEqual([name, status, []]);
      return present;
    };

    const capture = (sessionId: string, headers = {}) =>
      client.send(
        'POST',
        '/api/v1/inspection/capture',
        { flowId: 'inspection-assistant', sessionId, photographs: [photograph] },
        headers,
      );

    const render = (sessionId: string, headers = {}) =>
      client.send(
        'POST',
        '/api/v1/pdf/render',
        { templateId: 'inspection', source: { type: 'inspection', sessionId } },
        headers,
      );

    beforeAll(async () => {
      limited = await client.flow({
        name: 'limited',
        access: { rateLimit: { limit: 2, windowSeconds: 60 } },
        nodes: [
          { id: 'start', kind: 'start', config: {} },
          { id: 'say', kind: 'reply', config: { message: 'Yes' } },
        ],
        edges: [{ from: 'start', to: 'say' }],
      });
    });

    it('declares every header of answers, replays and refusals; a replay counts toward the rate limit', async () => {
      const key = { 'idempotency-key': 'one' };
      expect(headersOf(PREDICT, await client.predict(limited, { question: 'x', chatId: 'c' }, key))).toEqual([
        ...RATE,
        'x-execution-id',
      ]);
      expect(headersOf(PREDICT, await client.predict(limited, { question: 'x', chatId: 'c' }, key))).toEqual([
        'idempotent-replay',
        ...RATE,
        'x-execution-id',
      ]);
      const refused = await client.predict(limited, { question: 'x', chatId: 'c' }, key);
      expect([refused.status, headersOf(PREDICT, refused)]).toEqual([
        429,
        [...RATE, 'retry-after', 'x-execution-id'],
      ]);
      expect(headersOf(CAPTURE, await capture('told', key))).toEqual(['x-execution-id']);
      expect(headersOf(CAPTURE, await capture('told', key))).toEqual(['idempotent-replay', 'x-execution-id']);
    });

    it('declares the address of an async render, and the form of its answers', async () => {
      await capture('asked');
      const accepted = await render('asked', { prefer: 'respond-async', 'idempotency-key': 'two' });
      expect([accepted.status, headersOf(RENDER, accepted)]).toEqual([
        202,
        ['location', 'preference-applied', ...RATE, 'x-execution-id'],
      ]);
      const address = accepted.headers.get('location')!;
      const content = operation('GET /api/v1/pdf/renders/{id}').responses['200']!.content!;
      const seen = new Set<string>();
      while (!seen.has('succeeded')) {
        const { body } = await client.send('GET', address);
        expect(fits(content['application/json']!.schema, body).error?.issues).toBeUndefined();
        seen.add(body.status);
      }
      const stream = await client.send('GET', address, undefined, { accept: 'text/event-stream' });
      const lines = [...stream.text.matchAll(/^data: (.*)$/gm)].map(
        ([, line]) => JSON.parse(line!) as { event: string },
      );
      expect(lines.map(({ event }) => event)).toEqual(['result', 'end']);
      for (const line of lines)
        expect(fits(description.components.schemas['RenderEvent']!, line).error?.issues).toBeUndefined();
      const past = await client.admin('GET', 'pdf/reports?sessionId=asked');
      const reports = operation('GET /api/v1/pdf/reports').responses['200']!.content!['application/json']!;
      expect(past.body.data).toHaveLength(1);
      expect(fits(reports.schema, past.body).error?.issues).toBeUndefined();
    });

    it('declares the answer for an unknown session', async () => {
      const nothing = await render('never-seen');
      expect([nothing.status, nothing.body.reason]).toEqual([200, 'nothing_pending']);
      const { schema } = operation(RENDER).responses['200']!.content!['application/json']!;
      expect(fits(schema, nothing.body).error?.issues).toBeUndefined();
    });

    it('has the form of every event of a stream, of a run that ends and of one that fails', async () => {
      const failing = await client.flow({
        name: 'failing',
        nodes: [
          { id: 'start', kind: 'start', config: {} },
          { id: 'ask', kind: 'http', config: { method: 'GET', url: 'https://127.0.0.1:1/' } },
          { id: 'say', kind: 'reply', config: { message: 'Yes' } },
        ],
        edges: [
          { from: 'start', to: 'ask' },
          { from: 'ask', to: 'say' },
        ],
      });
      const endings = {
        'inspection-assistant': ['FINISHED', 'metadata', 'end'],
        [failing]: ['ERROR', 'error', 'end'],
      };
      for (const [flowId, ending] of Object.entries(endings)) {
        const stream = await client.stream(flowId, { question: 'Hello', chatId: 'streamed' });
        await stream.done;
        headersOf(PREDICT, stream);
        for (const { event, data } of stream.events)
          expect([
            event,
            fits(description.components.schemas['PredictionEvent']!, { event, data }).success,
          ]).toEqual([event, true]);
        const present = stream.events.map(({ event, data }) =>
          event === 'agentFlowEvent' ? String(data) : event,
        );
        expect([present[0], ...present.slice(-3)]).toEqual(['INPROGRESS', ...ending]);
        const path = `/api/v1/prediction/${flowId}/stream`;
        const resumed = await client.send('GET', path, undefined, { 'last-event-id': stream.events[0]!.id });
        expect(headersOf('GET /api/v1/prediction/{flowId}/stream', resumed)).toEqual(['x-execution-id']);
        expect((await client.send('GET', path)).status).toBe(400);
      }
      const { parameters, responses } = operation('GET /api/v1/prediction/{flowId}/stream');
      expect(parameters!.find(({ name }) => name === 'Last-Event-ID')!.required).toBe(true);
      expect(responses['400']).toBeDefined();
    });

    it('names every parameter with which a report is fetched and listed', async () => {
      const names = (name: string) =>
        (operation(name).parameters ?? []).filter((one) => one.in === 'query').map((one) => one.name);
      await capture('linked');
      const { searchParams } = new URL((await render('linked')).body.file.url);
      expect(names('GET /api/v1/pdf/reports/{id}/file')).toEqual([...searchParams.keys(), 'inline']);
      expect(names('GET /api/v1/pdf/reports')).toEqual(['sessionId']);
      expect(names(CAPTURE)).toEqual(['flowId']);
    });

    it('declares every form field of the examples', () => {
      const commands = ['README.md', 'docs/api.md']
        .map((path) => readFileSync(join(__dirname, '..', path), 'utf8'))
        .join('\n')
        .replaceAll('\\\n', ' ')
        .split('\n')
        .filter((line) => / -F /.test(line));
      expect(commands.length).toBeGreaterThan(6);
      for (const command of commands) {
        const name = command.includes('/inspection/capture') ? CAPTURE : PREDICT;
        const { properties = {} } = operation(name).requestBody!.content['multipart/form-data']!.schema;
        for (const [, field] of command.matchAll(/ -F (\w+)=/g))
          expect([name, Object.keys(properties)]).toEqual([name, expect.arrayContaining([field])]);
      }
    });
  });

  it('is compressed if the client accepts that', async () => {
    const plain = await raw('/openapi.json', 'identity');
    expect(plain.encoding).toBeUndefined();
    const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const [encoding, decoded] of Object.entries(decoders)) {
      const answer = await raw('/openapi.json', `deflate, ${encoding};q=0.9`);
      expect([answer.encoding, answer.vary]).toEqual([encoding, 'Accept-Encoding']);
      expect(decoded(answer.body).equals(plain.body)).toBe(true);
      expect(answer.body.length).toBeLessThan(80_000);
    }
  });
});
