import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { predictionEvent } from '../src/api/predictions.js';
import type { RouteNote } from '../src/api/route-note.js';
import { RouteTable } from '../src/common/http/route-table.js';
import { readRoutes } from '../src/console/api-docs/read-routes.js';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { type FakeModel, startFakeModel } from './support/fake-model.js';
import { chatFlow, echoFlow } from './support/flows.js';
import { type Answer, ServiceClient } from './support/service-client.js';
import { isShape, lenientParts } from './support/shapes.js';

type Operations = Record<
  string,
  Record<
    string,
    {
      parameters?: { required?: boolean }[];
      responses: Record<string, { content?: Record<string, object> }>;
    }
  >
>;

const PHOTOGRAPH = readFileSync(join(__dirname, '..', 'samples', 'photographs', 'hallway.jpg'), 'base64');

describe('the answers of the routes', () => {
  let service: TestApp;
  let model: FakeModel;
  let paths: Operations;
  const client = new ServiceClient(() => service);
  let notes: Map<string, RouteNote | undefined>;
  const seen = new Set<string>();
  const wrong = new Set<string>();

  /** Calls as an admin, and parses the answer by the shape beside its route. */
  async function call(method: string, path: string, body?: unknown, headers: object = {}): Promise<Answer> {
    const answer = await client.send(method, path, body, {
      authorization: `Bearer ${service.adminKey}`,
      ...headers,
    });
    const name = nameOf(method, path.split('?')[0]!);
    if (answer.status >= 300) throw new Error(`${name}: ${answer.status} ${answer.text}`);
    if (answer.body === undefined) return answer;
    const shape = notes.get(name)?.answers?.[answer.status]?.content?.['application/json'];
    if (!isShape(shape)) throw new Error(`${name}: the answer ${answer.status} has no shape`);
    seen.add(`${name} ${answer.status}`);
    for (const { path, message } of shape.safeParse(answer.body).error?.issues ?? [])
      wrong.add(`${name}: ${path.join('.')} ${message}`);
    return answer;
  }

  /**
   * Returns the operation of a call, such as `POST /api/v1/flows/{id}`: the matching template with the fewest
   * parameters.
   */
  function nameOf(method: string, path: string): string {
    const fitting = Object.keys(paths)
      .filter((template) => method.toLowerCase() in paths[template]!)
      .filter((template) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
      .sort((left, right) => left.split('{').length - right.split('{').length);
    if (fitting[0] === undefined) throw new Error(`${method} ${path} is not described`);
    return `${method} ${fitting[0]}`;
  }

  const capture = (body: object) =>
    call('POST', '/api/v1/inspection/capture', {
      flowId: 'inspection-assistant',
      sessionId: 'told',
      ...body,
    });

  const render = (headers = {}) =>
    call(
      'POST',
      '/api/v1/pdf/render',
      {
        templateId: 'inspection',
        source: {
          type: 'inspection',
          sessionId: 'told',
          meta: { reportType: 'checkin', address: '14 Acacia Avenue', tenant: 7, skippedAreas: 'gas-metre' },
        },
        delivery: { email: { to: ['desk@example.org'] } },
      },
      headers,
    );

  beforeAll(async () => {
    model = await startFakeModel();
    service = await startTestApp({
      env: { SAMPLES: 'on', SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'reports@example.org' },
    });
    const { body } = await client.send('GET', '/openapi.json');
    paths = body.paths;
    notes = new Map(readRoutes(service.app.get(RouteTable)).map((route) => [route.name, route.note]));
  });

  afterAll(async () => {
    await service.close();
    await model.close();
  });

  it('declare every member in the API description', async () => {
    // Flows and predictions.
    const made = await call('POST', '/api/v1/flows', {
      ...chatFlow(model.url, {
        name: 'Told',
        exposeTrace: true,
        openai: true,
        vars: { tone: { value: 'dry', locked: true } },
      }),
      access: { rateLimit: { limit: 50, windowSeconds: 60 }, public: true },
      chat: { starterPrompts: ['Hello'] },
    });
    const flow = made.body.id as string;
    model.answers.push({ tokens: ['Good ', 'day'] }, { error: { status: 400, message: 'broken' } });
    const predicted = await call('POST', `/api/v1/prediction/${flow}`, {
      question: 'Hello',
      chatId: 'told',
      uploads: [{ type: 'file', name: 'a.txt', mime: 'text/plain', data: 'data:text/plain;base64,aGk=' }],
      overrideConfig: { vars: { tone: 'loud' }, nonsense: 1 },
    });
    await client.predict(flow, { question: 'fail', chatId: 'told' });
    const open = { authorization: '' };
    await call('GET', '/api/v1/openai/models', undefined, open);
    const messages = [
      { role: 'system', content: 'x' },
      { role: 'user', content: 'Hello' },
    ];
    await call('POST', '/api/v1/openai/chat/completions', { model: flow, messages });
    await call('POST', '/api/v1/openai/responses', { model: flow, input: messages });
    const later = { Prefer: 'respond-async' };
    const taken = await call('POST', `/api/v1/prediction/${flow}`, { question: 'Later' }, later);
    const run = taken.headers.get('location')!;
    await eventually(async () => (await client.send('GET', run)).body.status !== 'running');
    await call('GET', run);
    await call('POST', '/api/v1/flows/inspection-assistant/run', { question: 'Hello', chatId: 'told' });
    for (const path of ['', '/schema', `/${flow}`]) await call('GET', `/api/v1/flows${path}`);
    await call('PUT', `/api/v1/flows/${flow}`, {
      ...echoFlow({ name: 'Told again' }),
      access: made.body.access,
    });
    for (const text of ['Draft', 'Draft of version 2']) {
      const nodes = [
        { id: 'start', kind: 'start' },
        { id: 'r', kind: 'reply', config: { message: text } },
      ];
      await call('PUT', `/api/v1/flows/${flow}/draft`, {
        nodes,
        edges: [{ from: 'start', to: 'r' }],
        price: 2,
      });
      await call('GET', `/api/v1/flows/${flow}/draft`);
      await call('POST', `/api/v1/flows/${flow}/publish`, { name: text, note: 'A note' });
    }
    for (const path of ['/versions', '/versions/1', '/setting-changes'])
      await call('GET', `/api/v1/flows/${flow}${path}`);
    await call('POST', `/api/v1/flows/${flow}/versions/1/restore`, {});
    const cases = `/api/v1/flows/${flow}/cases`;
    await call('POST', cases, { name: 'Greets', executionId: predicted.body.executionId });
    const kept = (await call('GET', cases)).body.data[0].id as string;
    await call('GET', `${cases}/${kept}`);
    await call('PUT', `${cases}/${kept}`, { name: 'Greets all', checks: [{ kind: 'max', ms: 60_000 }] });
    const runOfCases = (await call('POST', `${cases}/run`)).body.id as string;
    await eventually(async () => (await call('GET', `${cases}/runs/${runOfCases}`)).body.done === 1);
    await call('POST', '/api/v1/flows/check', { nodes: [] });
    await call('POST', '/api/v1/flows/import', {
      name: 'Imported',
      export: {
        nodes: [{ id: 'startAgentflow_0', data: { name: 'startAgentflow', inputs: {} } }],
        edges: [],
      },
    });

    // Executions.
    await call('GET', '/api/v1/executions?limit=200');
    await call('GET', '/api/v1/executions/stats');
    const { body: listed } = await call('GET', `/api/v1/executions?flowId=${flow}`);
    for (const { id } of listed.data) await call('GET', `/api/v1/executions/${id}`);
    await call('POST', `/api/v1/executions/${predicted.body.executionId}/cancel`);

    // Client endpoints.
    const message = { chatId: 'told', messageId: predicted.body.chatMessageId };
    const feedback = await call('POST', `/api/v1/feedback/${flow}`, { ...message, rating: 'THUMBS_UP' });
    await call('PUT', `/api/v1/feedback/${feedback.body.id}`, { content: 'Better' });
    await call('POST', '/api/v1/leads', { chatflowid: flow, chatId: 'told', name: 'Ann' });
    await call('GET', `/api/v1/feedback/${flow}`);
    await call('GET', `/api/v1/leads/${flow}`);
    const form = new FormData();
    form.append('files', new Blob(['some text'], { type: 'text/plain' }), 'a.txt');
    await call('POST', '/api/v1/attachments/inspection-assistant/told', form);
    await call('GET', `/api/v1/chatflows-streaming/${flow}`);
    await call('GET', `/api/v1/public-chatbotConfig/${flow}`);
    await call('PUT', `/api/v1/chatmessage/abort/${flow}/told`);
    await call('GET', `/api/v1/chatmessage/${flow}?chatId=told`);

    // Access.
    const key = await call('POST', '/api/v1/api-keys', { name: 'told' });
    await call('GET', '/api/v1/api-keys');
    await call('DELETE', `/api/v1/api-keys/${key.body.id}`);
    const secret = { name: 'Model', kind: 'api-key', data: { apiKey: 'sk-1234' } };
    const credential = await call('POST', '/api/v1/credentials', secret);
    await call('PUT', `/api/v1/credentials/${credential.body.id}`, secret);
    await call('GET', '/api/v1/credentials');

    // Document stores. Their model does not exist: a waiting document can be listed and deleted.
    const embedding = { provider: 'openai-compatible', name: 'none', baseUrl: 'http://127.0.0.1:9/v1' };
    const store = await call('POST', '/api/v1/document-stores', { name: 'Told', embedding });
    await call('PUT', `/api/v1/document-stores/${store.body.id}`, { name: 'Told', embedding });
    await call('GET', '/api/v1/document-stores');
    const documents = `/api/v1/document-stores/${store.body.id}/documents`;
    const added = await call('POST', documents, { name: 'a.md', text: 'some text' });
    await call('GET', documents);
    await call('POST', `/api/v1/document-stores/${store.body.id}/query`, { query: 'text' });
    await call('DELETE', `${documents}/${added.body.data[0].id}`);
    await call('DELETE', `/api/v1/document-stores/${store.body.id}`);

    for (let time = 0; time < 2; time++)
      await call('POST', '/api/v1/credit/told/top-ups', { amount: 5, reference: 'r' });
    for (const path of ['', '/told', '/default/entries']) await call('GET', `/api/v1/credit${path}`);
    await call('GET', '/api/v1/rate-limits');
    for (let miss = 0; miss < 3; miss++) await client.predict('nobody', { question: 'x' });
    expect((await call('GET', '/api/v1/address-blocks')).body.data).toHaveLength(1);
    await call('DELETE', '/api/v1/address-blocks/127.0.0.1');

    // Inspections.
    const photograph = { data: PHOTOGRAPH, name: 'a.jpg', messageId: 'm', captureTs: '1504902988' };
    const kitchen = { area: 'Kitchn', captureTs: 'yesterday', photographs: [photograph, { data: 'bm8=' }] };
    const { body: first } = await capture(kitchen);
    const { body: second } = await capture({
      photographs: [photograph, { ...photograph, messageId: 'n' }],
      remark: 'Scuffed',
    });
    for (const path of [`photographs/${first.recorded[0].id}`, `remarks/${second.remark.id}`]) {
      const change = { area: 'Kitchn', areaType: 'room', withdrawn: false, reason: 'a slip' };
      const wording = path.startsWith('remarks') ? { text: 'Scratched' } : { caption: 'Sink', turn: 90 };
      await call('POST', `/api/v1/inspection/${path}/corrections`, { ...change, ...wording });
      await call('GET', `/api/v1/inspection/${path}`);
    }
    await call('POST', '/api/v1/inspection/sessions/told/areas/rename', { from: 'Kitchn', to: 'Kitchen' });
    await call('GET', '/api/v1/inspection/sessions/told/things');
    await call('GET', '/api/v1/inspection/sessions/told/previous-items');
    await call('POST', '/api/v1/inspection/sessions/told/undo', {});
    const { body: metered } = await capture({
      area: 'Gas meter',
      areaType: 'service',
      reading: { value: 12 },
    });
    const reading = `/api/v1/inspection/facts/${metered.recordedFacts[0].id}`;
    await call('POST', `${reading}/corrections`, { value: '13', unit: 'm³' });
    await call('GET', reading);
    await call('DELETE', reading);
    await call('DELETE', `/api/v1/inspection/remarks/${second.remark.id}`);
    const details = '/api/v1/inspection/sessions/told/details?flowId=inspection-assistant';
    await call('PATCH', details, {
      address: '14 Acacia Avenue',
      geo: { latitude: 53.8, longitude: -1.5 },
      tenent: 'X',
    });
    await call('GET', details);
    await call('GET', '/api/v1/inspection/sessions');
    await call('GET', '/api/v1/inspection/sessions/told');
    await call('GET', '/api/v1/inspection/sessions/told/areas?flowId=inspection-assistant');
    await call('GET', '/api/v1/inspection/sessions/told/photographs?messageId=m&messageId=n');

    // Reports.
    expect((await render()).body.claimed).toBe(2);
    await call('POST', '/api/v1/assets', { data: `data:image/jpeg;base64,${PHOTOGRAPH}` });
    await render();
    await capture({ photographs: [{ data: PHOTOGRAPH }] });
    const accepted = await render({ prefer: 'respond-async' });
    let status: string;
    do {
      status = (await call('GET', `/api/v1/pdf/renders/${accepted.body.id}`)).body.status as string;
    } while (status === 'running');
    const { body: reports } = await call('GET', '/api/v1/pdf/reports?sessionId=told');
    await call('POST', `/api/v1/pdf/reports/${reports.data[0].id}/redraw`);
    await call('GET', `/api/v1/pdf/reports/${reports.data[0].id}/manifest`);
    await call('GET', `/api/v1/pdf/reports/${reports.data[0].id}/details`);
    await call('POST', `/api/v1/pdf/reports/${reports.data[0].id}/pack`);
    const next = (id: string, headers = {}) =>
      call('POST', `/api/v1/pdf/reports/${id}/editions`, { reason: 'A slip of the pen' }, headers);
    const { body: another } = await next(reports.data[0].id as string);
    await next(another.file.id as string, { prefer: 'respond-async' });
    for (const path of ['seal', 'delivery']) await call('GET', `/api/v1/pdf/${path}`);
    for (const path of ['live', 'ready']) await call('GET', `/health/${path}`);
    // Reads every other list, so that a new one needs no line here.
    for (const [path, { get }] of Object.entries(paths)) {
      const needsWords = path.includes('{') || get?.parameters?.some(({ required }) => required);
      const answersJson = get?.responses['200']?.content?.['application/json'];
      if (get && answersJson && !needsWords && !seen.has(`GET ${path} 200`)) await call('GET', path);
    }
    expect([...wrong].sort()).toEqual([]);
  });

  it('declare every event of the stream of a run', async () => {
    const flow = (node: object, ...more: object[]) =>
      client.flow({
        name: 'Streamed',
        nodes: [
          { id: 'start', kind: 'start' },
          { id: 'next', ...node },
          ...(more.length > 0 ? [{ id: 'reply', kind: 'reply', config: { message: 'Done' } }] : []),
        ],
        edges: [{ from: 'start', to: 'next' }, ...more],
        exposeTrace: true,
      });
    const named = { provider: 'openai-compatible', name: 'fake', baseUrl: model.url };
    const agent = await flow({ kind: 'agent', config: { model: named, tools: [{ tool: 'date-time' }] } });
    const toReply = { from: 'next', to: 'reply' };
    const asking = await flow(
      { kind: 'human-input', config: { message: 'Go on?' } },
      { ...toReply, on: '0' },
    );
    const failing = await flow(
      { kind: 'http', config: { method: 'GET', url: 'https://127.0.0.1:1/' } },
      toReply,
    );
    model.answers.push(
      { thinking: ['Hm'], toolCalls: [{ id: 'c', name: 'date-time', arguments: '{}' }] },
      { tokens: ['It is ', 'late'] },
    );
    const names = new Set<string>();
    for (const flowId of [agent, asking, failing]) {
      // Each event is parsed by its shape as it is read.
      const { events, done } = await client.stream(flowId, { question: 'Hello' });
      await done;
      for (const { event } of events) names.add(event);
    }
    // Documents and renders are streamed in tests of their own.
    const elsewhere = ['sourceDocuments', 'progress'];
    const described = predictionEvent.options.map(({ shape }) => shape.event.value);
    expect([...names, ...elsewhere].sort()).toEqual([...described].sort());
  });

  it('have shapes that refuse undescribed members', () => {
    const shapes = [...notes].flatMap(([name, note]) =>
      Object.values(note?.answers ?? {}).flatMap(({ content = {} }) =>
        Object.values(content)
          .filter(isShape)
          .map((shape) => [name, shape] as const),
      ),
    );
    expect(shapes.length).toBeGreaterThan(60);
    expect(shapes.flatMap(([name, shape]) => lenientParts(shape).map((path) => `${name}: ${path}`))).toEqual(
      [],
    );
    const lenient = z.strictObject({ list: z.array(z.object({ a: z.string() })).exactOptional() });
    expect(lenientParts(lenient)).toEqual(['.list[]']);
  });

  it('were checked on every route that returns JSON', () => {
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        Object.entries(responses)
          .filter(([status, { content }]) => status.startsWith('2') && content?.['application/json'])
          .map(([status]) => `${method.toUpperCase()} ${path} ${status}`),
      ),
    );
    expect(described.filter((name) => !seen.has(name))).toEqual([]);
  });
});
