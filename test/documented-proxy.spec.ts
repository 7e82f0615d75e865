import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestApp, type TestApp } from './support/app.js';
import { samplesOf } from './support/documents.js';
import { eventually } from './support/eventually.js';
import { echoFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';
import { installed } from './support/services.js';

/** The configuration of docs/operations/deploy.md in front of a service. */
(installed('nginx') ? describe : describe.skip)('nginx as documented', () => {
  let app: TestApp;
  let folder: string;
  let nginx: ChildProcess;
  let url: string;

  beforeAll(async () => {
    app = await startTestApp({ env: { TRUST_PROXY: '1' } });
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    folder = mkdtempSync(join(tmpdir(), 'nginx-'));
    const documented = samplesOf('docs/operations/deploy.md').find(({ kind }) => kind === 'nginx')!.text;
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    );
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; pid ${folder}/pid; error_log ${folder}/errors; events {}
       http { access_log off; ${paths.join(' ')}
         server { listen 127.0.0.1:${port}; ${documented.replaceAll('http://127.0.0.1:3000', app.url)} } }`,
    );
    nginx = spawn('nginx', ['-e', join(folder, 'errors'), '-c', join(folder, 'nginx.conf')]);
    await eventually(() =>
      fetch(`${url}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  });

  afterAll(async () => {
    nginx.kill();
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function freePort(): Promise<number> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }

  const call = (path: string, init: RequestInit = {}) => fetch(`${url}${path}`, init);
  const predict = (flow: string, init: RequestInit = {}) =>
    call(`/api/v1/prediction/${flow}`, { method: 'POST', ...init });

  it('passes a stream on up to its end', async () => {
    const client = new ServiceClient(() => app);
    const flow = await client.flow(echoFlow());
    const headers = { 'content-type': 'application/json' };
    const { body } = await predict(flow, { headers, body: '{"question":"x","streaming":true}' });
    expect(await new Response(body).text()).toContain('data: {"event":"end"');
  });

  it('accepts a body that is larger than nginx accepts without the setting', async () => {
    const client = new ServiceClient(() => app);
    const flow = await client.flow(echoFlow());
    const form = new FormData();
    form.append('question', 'x');
    form.append('files', new Blob(['x'.repeat(4 * 1024 * 1024)], { type: 'text/plain' }), 'long.txt');
    expect((await predict(flow, { body: form })).status).toBe(200);
  });

  it('tells the service the address of the caller, whatever header the caller sends', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.1' };
    for (const status of [404, 404, 404, 429])
      expect((await predict('none-such', { headers })).status).toBe(status);
    const blocked = await new ServiceClient(() => app).admin('GET', 'address-blocks');
    expect(blocked.body.data).toMatchObject([{ address: '127.0.0.1' }]);
  });

  it('shows neither metrics nor the routes between processes', async () => {
    for (const path of ['/metrics', '/metrics/', '/Metrics', '/internal/x', '/Internal/x']) {
      const answer = await call(path);
      expect([path, answer.status, await answer.text()]).toEqual([
        path,
        404,
        expect.stringContaining('nginx'),
      ]);
    }
  });
});
