import fs, { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startTestApp, type TestApp } from './support/app.js';
import { startFakeModel, type FakeModel } from './support/fake-model.js';
import { chatFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';

const SECRET = 'correct-horse-battery-staple-4711';

/** Echoes requests, as careless services do. */
const target = createServer((request, response) => {
  const wanted = request.url === '/refuses' ? 403 : 200;
  response.writeHead(wanted, {
    'Content-Type': 'application/json',
    'X-Echo': request.headers.authorization ?? '',
  });
  response.end(
    JSON.stringify({ authorization: request.headers.authorization, own: request.headers['x-own'] }),
  );
});

const httpFlow = (path: string, credentialId: string) => ({
  name: 'Ask',
  nodes: [
    { id: 'start', kind: 'start' },
    {
      id: 'ask',
      kind: 'http',
      config: { url: `http://127.0.0.1:${(target.address() as AddressInfo).port}${path}`, credentialId },
    },
  ],
  edges: [{ from: 'start', to: 'ask' }],
});

/** Collects log lines instead of printing them, whichever way they reach standard output. */
function keepLines(lines: string[]): void {
  const write = fs.writeSync.bind(fs) as (...parameters: unknown[]) => number;
  const keepSync = (...parameters: unknown[]) => {
    if (parameters[0] !== 1) return write(...parameters);
    lines.push(String(parameters[1]));
    return Buffer.byteLength(String(parameters[1]));
  };
  jest.spyOn(fs, 'writeSync').mockImplementation(keepSync);
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
}

describe('credentials (contract section 8)', () => {
  let service: TestApp;
  let model: FakeModel;
  const client = new ServiceClient(() => service);
  const answers: string[] = [];
  const logged: string[] = [];
  const admin = async (method: string, path: string, body?: unknown) => {
    const answer = await client.admin(method, path, body);
    answers.push(answer.text);
    return answer;
  };
  const apiKey = (name = 'provider') => ({ name, kind: 'api-key', data: { apiKey: SECRET } });

  beforeAll(async () => {
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    model = await startFakeModel();
    keepLines(logged);
    service = await startTestApp({
      env: { LOG_LEVEL: 'trace', OUTBOUND_ALLOW: `127.0.0.1:${(target.address() as AddressInfo).port}` },
    });
  });

  afterAll(async () => {
    jest.restoreAllMocks();
    target.closeAllConnections();
    target.close();
    await model.close();
    await service.close();
  });

  it('are administered with the admin key alone', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['PUT', '/x'],
      ['DELETE', '/x'],
    ] as const)
      expect((await client.send(method, `/api/v1/credentials${path}`)).body.code).toBe('invalid_admin_key');
  });

  it('show id, name, kind and times, and never their contents', async () => {
    const made = await admin('POST', 'credentials', apiKey());
    expect(made.status).toBe(200);
    expect(Object.keys(made.body).sort()).toEqual(['createdAt', 'id', 'kind', 'name', 'updatedAt']);
    const listed = await admin('GET', 'credentials');
    expect(listed.body.data).toContainEqual(made.body);
    const put = await admin('PUT', `credentials/${made.body.id}`, apiKey('renamed'));
    expect(put.body).toMatchObject({ id: made.body.id, name: 'renamed', kind: 'api-key' });
    expect((await admin('DELETE', `credentials/${made.body.id}`)).status).toBe(204);
    expect((await admin('DELETE', `credentials/${made.body.id}`)).body.code).toBe('not_found');
    expect((await admin('PUT', `credentials/${made.body.id}`, apiKey())).status).toBe(404);
  });

  it('report each fault of a body without repeating its values', async () => {
    const refused = await admin('POST', 'credentials', {
      name: '',
      kind: 'api-key',
      data: { apiKey: `${SECRET}\n` },
    });
    expect(refused.status).toBe(400);
    expect(refused.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'data.apiKey',
      'name',
    ]);
  });

  it('must exist, and be of a kind that models accept, when a flow that names them is saved', async () => {
    const { body: basic } = await admin('POST', 'credentials', {
      name: 'basic',
      kind: 'basic',
      data: { username: 'jordan', password: SECRET },
    });
    const flow = (credentialId: string) =>
      chatFlow(
        model.url,
        {},
        {
          model: { provider: 'openai-compatible', name: 'fake', baseUrl: model.url, credentialId },
        },
      );
    const unknown = await admin('POST', 'flows', flow('nobody'));
    expect(unknown.body).toMatchObject({
      status: 400,
      code: 'invalid_flow',
      errors: [{ path: 'nodes.1.config.model.credentialId', message: 'there is no credential "nobody"' }],
    });
    const wrong = await admin('POST', 'flows', flow(basic.id));
    expect(wrong.body.errors[0].message).toContain('a model needs one of the kind "api-key"');
    expect((await admin('POST', 'flows', httpFlow('/', '{{question}}'))).status).toBe(400);
  });

  it('are sent to the model and to the target of an HTTP node, and are masked in their answers', async () => {
    const { body: credential } = await admin('POST', 'credentials', apiKey());
    const chat = await client.flow(
      chatFlow(
        model.url,
        {},
        {
          model: {
            provider: 'openai-compatible',
            name: 'fake',
            baseUrl: model.url,
            credentialId: credential.id,
          },
        },
      ),
    );
    const predicted = await client.predict(chat, { question: 'Hello' });
    answers.push(predicted.text);
    expect(predicted.body.text).toBe('Hello there');
    expect(model.requests.at(-1)?.authorization).toBe(`Bearer ${SECRET}`);

    const { body: header } = await admin('POST', 'credentials', {
      name: 'own',
      kind: 'header',
      data: { name: 'X-Own', value: SECRET },
    });
    for (const [path, id, status] of [
      ['/echoes', credential.id, 200],
      ['/refuses', credential.id, 500],
      ['/echoes', header.id, 200],
    ] as const) {
      const answer = await client.predict(await client.flow(httpFlow(path, id)), { question: 'x' });
      answers.push(answer.text);
      expect(answer.status).toBe(status);
      const executionId = answer.headers.get('x-execution-id')!;
      await client.ended(executionId);
      const record = await admin('GET', `executions/${executionId}`);
      expect(record.text).toContain('[masked]');
    }
  });

  it('fail the run with a clear sentence if they were deleted', async () => {
    const { body: credential } = await admin('POST', 'credentials', apiKey());
    const flow = await client.flow(httpFlow('/echoes', credential.id));
    await admin('DELETE', `credentials/${credential.id}`);
    const failed = await client.predict(flow, { question: 'x' });
    expect(failed.body).toMatchObject({ status: 500, code: 'flow_failed' });
    const record = await client.ended(failed.headers.get('x-execution-id')!);
    expect(JSON.stringify(record)).toContain(`There is no credential \\"${credential.id}\\"`);
  });

  it('appear in no answer, no log line and no file', () => {
    expect(answers.length).toBeGreaterThan(10);
    expect(answers.filter((text) => text.includes(SECRET))).toEqual([]);
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.filter((line) => line.includes(SECRET))).toEqual([]);
    const { dataDir } = service.place;
    const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const forms = [SECRET, Buffer.from(`jordan:${SECRET}`).toString('base64')];
    const holding = files
      .map((file) => join(file.parentPath, file.name))
      .filter((path) => forms.some((form) => readFileSync(path).includes(form)));
    expect(files.some((file) => file.name.includes('key'))).toBe(true);
    expect(holding).toEqual([]);
  });
});
