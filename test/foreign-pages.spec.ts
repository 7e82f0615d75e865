import { openFlow } from './fixtures/renders.js';
import { startTestApp, type TestApp } from './support/app.js';
import { callRaw } from './support/raw-call.js';
import { recordPhotograph } from './support/recorded-photographs.js';
import { type Answer, ServiceClient } from './support/service-client.js';

const shop = { origin: 'https://shop.example' };
const foreign = { origin: 'https://evil.example' };
const outcome = ({ status, body }: Answer) => [status, body?.code];

describe('photographs of a flow with allowed domains', () => {
  let app: TestApp;
  let sessions = 0;
  let keyId: string;
  let key: { authorization: string };
  const client = new ServiceClient(() => app);

  beforeAll(async () => {
    app = await startTestApp({
      env: { RENDERS_PER_MINUTE: '100000', CORS_ORIGINS: 'https://office.example' },
    });
    const made = (await client.admin('POST', 'api-keys', { name: 'office' })).body;
    keyId = made.id;
    key = { authorization: `Bearer ${made.key}` };
  });

  afterAll(() => app.close());

  const flow = (access: object = {}) => client.flow({ ...openFlow, access });
  const listed = (access: object = {}) => flow({ allowedDomains: ['shop.example'], ...access });
  const session = () => `session-${++sessions}`;

  /** Makes a session with a photograph of each of these flows. */
  async function recorded(...flowIds: string[]): Promise<string> {
    const sessionId = session();
    for (const flowId of flowIds) await recordPhotograph(app, { flowId, sessionId });
    return sessionId;
  }

  const render = (sessionId: string, headers: Record<string, string> = {}, more: object = {}) =>
    client.send(
      'POST',
      '/api/v1/pdf/render',
      { templateId: 'inspection', source: { type: 'inspection', sessionId, meta: {}, ...more } },
      headers,
    );

  describe('and a render that names no flow', () => {
    it.each([
      ['another page', foreign],
      ['another page by its Referer', { referer: 'https://evil.example/shop.example' }],
      ['a page without an origin', { origin: 'null' }],
      ['a name below the listed one', { origin: 'https://a.shop.example' }],
    ])('are refused to %s, which can read the refusal, and stay pending', async (_, headers) => {
      const sessionId = await recorded(await listed());
      const refused = await render(sessionId, headers);
      expect(outcome(refused)).toEqual([403, 'domain_not_allowed']);
      expect(refused.text).not.toContain('/file?');
      if ('origin' in headers)
        expect(refused.headers.get('access-control-allow-origin')).toBe(headers.origin);
      expect((await render(sessionId, shop)).body.claimed).toBe(1);
    });

    it.each([
      ['the listed page', () => shop],
      ['the service’s own page', () => ({ origin: app.url })],
      ['a server caller', () => ({})],
    ])('are given to %s', async (_, headers) => {
      expect((await render(await recorded(await listed()), headers())).body.claimed).toBe(1);
    });

    it.each(['rebound.example', '127.0.0.1.nip.io', 'localhost.'])(
      'are refused to a page whose host name was pointed here: %s',
      async (name) => {
        const { port } = new URL(app.url);
        const sessionId = await recorded(await listed());
        const page = { host: `${name}:${port}`, origin: `http://${name}:${port}` };
        const refused = await callRaw(`${app.url}/api/v1/pdf/render`, page, {
          templateId: 'inspection',
          source: { type: 'inspection', sessionId, meta: {} },
        });
        expect([refused.status, refused.body.code]).toEqual([403, 'domain_not_allowed']);
      },
    );

    it('of several flows are claimed as far as their lists allow; the others stay pending', async () => {
      const [open, closed] = [await flow(), await listed()];
      const sessionId = await recorded(open, closed, closed);
      const half = await render(sessionId, foreign);
      expect([half.status, half.body.claimed]).toEqual([200, 1]);
      expect(outcome(await render(sessionId, foreign))).toEqual([403, 'domain_not_allowed']);
      expect((await render(sessionId, shop)).body.claimed).toBe(2);
    });

    it('require the key first if any was left for want of one', async () => {
      const sessionId = await recorded(await listed(), await flow({ apiKeyId: keyId }));
      expect(outcome(await render(sessionId, foreign))).toEqual([401, 'invalid_api_key']);
      expect((await render(sessionId, { ...foreign, ...key })).body.claimed).toBe(1);
      expect(outcome(await render(sessionId, { ...foreign, ...key }))).toEqual([403, 'domain_not_allowed']);
      const both = await recorded(await listed({ apiKeyId: keyId }));
      expect(outcome(await render(both, foreign))).toEqual([401, 'invalid_api_key']);
      expect(outcome(await render(both, { ...foreign, ...key }))).toEqual([403, 'domain_not_allowed']);
    });

    it('hide from another page the reports made of them', async () => {
      const sessionId = await recorded(await listed());
      await render(sessionId, {}, { meta: { postcode: 'LS1 4AP' } });
      const refusal = await render(sessionId, foreign);
      expect(refusal.body).toMatchObject({ file: null, reason: 'nothing_pending', previousReports: [] });
      expect((await render(sessionId, shop)).body.previousReports).toHaveLength(1);
    });

    it('are not replayed to another page', async () => {
      const sessionId = await recorded(await listed());
      const again = { 'idempotency-key': 'once' };
      const { file } = (await render(sessionId, { ...shop, ...again })).body;
      const replayed = await render(sessionId, { ...shop, ...again });
      expect([replayed.headers.get('idempotent-replay'), replayed.body.file.id]).toEqual(['true', file.id]);
      const other = await render(sessionId, { ...foreign, ...again });
      expect(other.headers.get('idempotent-replay')).toBeNull();
      expect(other.text).not.toContain(file.id);
    });
  });

  it('are refused to another page by name too', async () => {
    const flowId = await listed();
    const sessionId = await recorded(flowId);
    expect(outcome(await render(sessionId, foreign, { flowId }))).toEqual([403, 'domain_not_allowed']);
  });

  describe('and the routes that read them', () => {
    let report: { id: string; url: string };
    let paths: string[];

    beforeAll(async () => {
      const flowId = await listed({ apiKeyId: keyId });
      const sessionId = session();
      await client.send('POST', '/api/v1/inspection/capture', { flowId, sessionId, area: 'Hall' }, key);
      const { id: photographId } = await recordPhotograph(app, { flowId, sessionId });
      report = (await render(sessionId, key)).body.file;
      paths = [
        `inspection/sessions?flowId=${flowId}`,
        `inspection/sessions/${sessionId}`,
        `inspection/sessions/${sessionId}?flowId=${flowId}`,
        `inspection/sessions/${sessionId}/stream`,
        `inspection/photographs/${photographId}/original`,
        `inspection/photographs/${photographId}/print`,
        `pdf/reports?sessionId=${sessionId}`,
        `pdf/reports/${report.id}/file`,
        `pdf/reports/${report.id}/manifest`,
      ];
    });

    const statuses = async (headers: Record<string, string>) => {
      const answers: number[] = [];
      for (const path of paths) {
        const response = await fetch(`${app.url}/api/v1/${path}`, { headers });
        answers.push(response.status);
        await response.body?.cancel();
      }
      return answers;
    };
    const all = (status: number) => paths.map(() => status);

    it("are for the flow's key on a page of the list, or without a page", async () => {
      expect(await statuses({ ...key })).toEqual(all(200));
      expect(await statuses({ ...key, ...shop })).toEqual(all(200));
      expect(await statuses({ ...key, origin: app.url })).toEqual(all(200));
      expect(await statuses({ ...key, ...foreign })).toEqual(all(403));
      expect(await statuses({ ...foreign })).toEqual(all(401));
    });

    it('are for the admin key from anywhere; CORS_ORIGINS lists the pages that may read the answer', async () => {
      const admin = { authorization: `Bearer ${app.adminKey}` };
      expect(await statuses({ ...admin, ...foreign })).toEqual(all(200));
      const origins = [
        ['https://office.example', 'https://office.example'],
        [app.url, app.url],
        [foreign.origin, null],
        [shop.origin, null],
      ] as const;
      for (const [origin, allowed] of origins) {
        for (const path of paths.filter((one) => !one.endsWith('/stream'))) {
          const answer = await client.send('GET', `/api/v1/${path}`, undefined, { ...admin, origin });
          expect([path, answer.headers.get('access-control-allow-origin')]).toEqual([path, allowed]);
        }
      }
    });

    it('are available at the unguessable address of a report, which is opened from mails', async () => {
      const opened = await fetch(report.url, { headers: { referer: 'https://webmail.example/' } });
      expect(opened.status).toBe(200);
      expect(opened.headers.get('access-control-allow-origin')).toBeNull();
    });

    it('are compared for the same callers', async () => {
      const compare = (headers: Record<string, string>) =>
        client.send(
          'POST',
          '/api/v1/pdf/render',
          {
            templateId: 'comparison',
            source: { type: 'comparison', before: report.id, after: report.id },
          },
          headers,
        );
      expect(outcome(await compare({ ...key, ...foreign }))).toEqual([403, 'domain_not_allowed']);
      expect((await compare({ ...key, ...shop })).status).toBe(200);
    });

    it('are reported to the async caller of a render', async () => {
      const accepted = await render(await recorded(await listed()), { ...shop, prefer: 'respond-async' });
      const path = accepted.headers.get('location')!;
      expect(outcome(await client.send('GET', path, undefined, foreign))).toEqual([
        403,
        'domain_not_allowed',
      ]);
      for (const headers of [shop, {}])
        expect((await client.send('GET', path, undefined, headers)).status).toBe(200);
      expect((await client.send('GET', '/api/v1/pdf/renders/none', undefined, foreign)).status).toBe(404);
    });
  });

  it('are not revealed by the streaming check, which any page may call', async () => {
    const path = `/api/v1/chatflows-streaming/${await listed()}`;
    expect((await client.send('GET', path, undefined, foreign)).status).toBe(200);
  });

  it('require a flow whose key exists', async () => {
    const refused = await client.admin('POST', 'flows', { ...openFlow, access: { apiKeyId: 'nope' } });
    expect(outcome(refused)).toEqual([400, 'invalid_flow']);
    expect(refused.body.errors).toMatchObject([{ path: 'access.apiKeyId' }]);
    const id = await flow({ apiKeyId: keyId });
    const path = `flows/${id}`;
    const changed = (apiKeyId: string | null) =>
      client.admin('PUT', path, { ...openFlow, access: { apiKeyId } });
    expect(outcome(await changed('nope'))).toEqual([400, 'invalid_flow']);
    expect((await client.admin('GET', path)).body.access.apiKeyId).toBe(keyId);
    const revoked = (await client.admin('POST', 'api-keys', { name: 'short' })).body.id as string;
    await client.admin('DELETE', `api-keys/${revoked}`);
    expect(outcome(await changed(revoked))).toEqual([400, 'invalid_flow']);
    expect((await changed(null)).status).toBe(200);
  });
});
