import { createHash, randomUUID } from 'node:crypto';
import { ukStamp } from '../src/inspection/report/uk-time.js';
import { startTestApp, type TestApp } from './support/app.js';
import { eventually } from './support/eventually.js';
import { type Mailbox, openMailbox, type ReceivedMail } from './support/mailbox.js';
import { callRaw } from './support/raw-call.js';
import { recordPhotograph } from './support/recorded-photographs.js';
import { type Answer, ServiceClient } from './support/service-client.js';

const flow = { name: 'Open', nodes: [{ id: 'start', kind: 'start', config: {} }], edges: [] };
const office = 'office@agency.example';

/** Returns the decoded parts of a multipart mail. */
function partsOf({ source }: ReceivedMail): { head: string; body: Buffer }[] {
  const boundary = /boundary="([^"]+)"/.exec(source)?.[1];
  const parts = boundary === undefined ? [source] : source.split(`--${boundary}`).slice(1, -1);
  return parts.map((part) => {
    const at = part.indexOf('\r\n\r\n');
    const head = part.slice(0, at);
    const body = part.slice(at + 4);
    return { head, body: /base64/i.test(head) ? Buffer.from(body, 'base64') : Buffer.from(body, 'latin1') };
  });
}

const headOf = ({ source }: ReceivedMail): string => source.slice(0, source.indexOf('\r\n\r\n'));

describe('a report by e-mail', () => {
  let mailbox: Mailbox;
  let app: TestApp;
  let client: ServiceClient;
  let flowId: string;

  beforeAll(async () => {
    mailbox = await openMailbox();
    app = await startTestApp({
      env: {
        SMTP_URL: mailbox.url,
        MAIL_FROM: 'Reports <reports@agency.example>',
        MAIL_ALLOW: '@agency.example, landlord@home.example',
        RENDERS_PER_MINUTE: '1000',
      },
    });
    client = new ServiceClient(() => app);
    flowId = await client.flow(flow);
  });

  afterAll(async () => {
    await app.close();
    await mailbox.close();
  });

  beforeEach(() => mailbox.mails.splice(0));

  async function recorded(flow = flowId): Promise<string> {
    const sessionId = `session-${randomUUID()}`;
    await recordPhotograph(app, { flowId: flow, sessionId });
    return sessionId;
  }

  const render = (sessionId: string, email: unknown, headers = {}, meta: object = {}): Promise<Answer> =>
    client.send(
      'POST',
      '/api/v1/pdf/render',
      {
        templateId: 'inspection',
        source: { type: 'inspection', sessionId, meta },
        delivery: { email },
      },
      headers,
    );

  const statusOf = async (sessionId: string) => {
    const { body } = await client.admin('GET', `pdf/reports?sessionId=${sessionId}`);
    return body.data[0].delivery?.email;
  };

  async function settled(sessionId: string) {
    await eventually(async () => ['sent', 'failed'].includes((await statusOf(sessionId)).status));
    return statusOf(sessionId);
  }

  it('carries the PDF under exactly the name of the file', async () => {
    const sessionId = await recorded();
    const meta = { propertyNo: '12A', postcode: 'SW1A 1AA' };
    const { body } = await render(sessionId, { to: [office, 'lettings@agency.example'] }, {}, meta);
    expect(body.delivery.email).toMatchObject({ status: 'queued', as: 'attachment' });
    const [mail] = await mailbox.received(1);
    expect(mail!.recipients).toEqual([office, 'lettings@agency.example']);
    expect(headOf(mail!)).toContain('From: Reports <reports@agency.example>');
    const attachment = partsOf(mail!).find((part) => part.head.includes('application/pdf'))!;
    expect(attachment.head).toContain(`filename="${body.file.filename}"`);
    expect(createHash('sha256').update(attachment.body).digest('hex')).toBe(body.file.sha256);
    expect(await settled(sessionId)).toMatchObject({
      status: 'sent',
      attempts: 1,
      sentAt: expect.any(String),
    });
  });

  it('has the given subject and text, which cannot add a header or a recipient', async () => {
    const email = {
      to: office,
      subject: 'Flat 1\r\nBcc: evil@else.example',
      text: 'Zażółć\r\n.\r\nRCPT TO:<evil@x>',
    };
    await render(await recorded(), email);
    const [mail] = await mailbox.received(1);
    expect(mail!.recipients).toEqual([office]);
    expect(headOf(mail!)).not.toMatch(/^Bcc:/im);
    expect(headOf(mail!)).toMatch(/^Subject: Flat 1 {1,2}Bcc: evil@else\.example$/m);
  });

  it.each([
    ['a stranger', ['tenant@else.example']],
    ['a stranger among friends', [office, 'tenant@else.example']],
    ['a subdomain', ['x@mail.agency.example']],
  ])('is 403 for %s, and nothing is claimed', async (_name, to) => {
    const sessionId = await recorded();
    const refused = await render(sessionId, { to });
    expect(refused.status).toBe(403);
    expect(refused.body.code).toBe('email_not_allowed');
    expect((await render(sessionId, undefined)).body.claimed).toBe(1);
  });

  it('is sent to anybody with the admin key or the key of the flow, but to ten at most', async () => {
    const stranger = { to: ['tenant@else.example'] };
    const admin = { authorization: `Bearer ${app.adminKey}` };
    expect((await render(await recorded(), stranger, admin)).status).toBe(200);
    const { body: key } = await client.admin('POST', 'api-keys', { name: 'office' });
    const keyed = await client.flow({ ...flow, access: { apiKeyId: key.id } });
    const headers = { authorization: `Bearer ${key.key}` };
    expect((await render(await recorded(keyed), stranger, headers)).status).toBe(200);
    const crowd = { to: Array.from({ length: 11 }, (_, index) => `t${index}@agency.example`) };
    expect((await render(await recorded(), crowd, admin)).body.code).toBe('email_not_allowed');
    await mailbox.received(2);
  });

  it('is retried after a temporary refusal, and only for recipients who have not received it', async () => {
    const sessionId = await recorded();
    mailbox.refuse('slow@agency.example', 451, 1);
    await render(sessionId, { to: [office, 'slow@agency.example'] });
    await mailbox.received(1);
    await eventually(async () => {
      const { status, attempts } = await statusOf(sessionId);
      return status === 'queued' && attempts === 1;
    });
    expect(await statusOf(sessionId)).toMatchObject({ error: expect.any(String) });
    app.clock.advance(5000);
    const mails = await mailbox.received(2);
    expect(mails.map((mail) => mail.recipients)).toEqual([[office], ['slow@agency.example']]);
    expect(await settled(sessionId)).toMatchObject({ status: 'sent', attempts: 2 });
  });

  it('is on one connection at a time, also when the server takes too long', async () => {
    const timer = setTimeout;
    let reachLimit: (() => void) | undefined;
    const timers = jest.spyOn(globalThis, 'setTimeout');
    timers.mockImplementation((work, ms) => {
      if (ms === 9 * 60_000) reachLimit = work;
      return timer(work, ms);
    });
    const letGo = mailbox.hold();
    try {
      await render(await recorded(), { to: office });
      await eventually(() => mailbox.open() === 1);
      reachLimit!();
      await eventually(() => mailbox.open() === 0);
    } finally {
      letGo();
      timers.mockRestore();
    }
    await mailbox.received(1);
  });

  it('fails once the others have it if one recipient was refused for good at an earlier attempt', async () => {
    const sessionId = await recorded();
    mailbox.refuse('gone@agency.example', 550);
    mailbox.refuse('late@agency.example', 451, 1);
    await render(sessionId, { to: ['gone@agency.example', 'late@agency.example'] });
    await eventually(async () => {
      const { status, attempts } = await statusOf(sessionId);
      return status === 'queued' && attempts === 1;
    });
    app.clock.advance(5000);
    const mails = await mailbox.received(1);
    expect(mails.map((mail) => mail.recipients)).toEqual([['late@agency.example']]);
    expect(await settled(sessionId)).toMatchObject({
      ...{ status: 'failed', attempts: 2 },
      error: expect.stringMatching(/gone@agency\.example(?!.*late@)/),
    });
  });

  it('is given up for a permanently refused recipient; the report stays', async () => {
    const sessionId = await recorded();
    mailbox.refuse('nobody@agency.example', 550);
    await render(sessionId, { to: ['nobody@agency.example'] });
    expect(await settled(sessionId)).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: expect.any(String),
    });
    expect(mailbox.mails).toEqual([]);
  });
});

describe('a report by e-mail', () => {
  const withApp = async (
    env: Record<string, string>,
    test: (app: TestApp, client: ServiceClient) => Promise<void>,
  ) => {
    const app = await startTestApp({ env });
    try {
      await test(app, new ServiceClient(() => app));
    } finally {
      await app.close();
    }
  };

  const body = (sessionId: string, to = [office]) => ({
    templateId: 'inspection',
    source: { type: 'inspection', sessionId, meta: {} },
    delivery: { email: { to } },
  });

  it('is 400 while no mail server is configured, and nothing is claimed', () =>
    withApp({ MAIL_ALLOW: '@agency.example' }, async (app, client) => {
      const flowId = await client.flow(flow);
      await recordPhotograph(app, { flowId, sessionId: 's' });
      const refused = await client.send('POST', '/api/v1/pdf/render', body('s'));
      expect(refused.status).toBe(400);
      expect(refused.body.code).toBe('email_not_configured');
      const { delivery: _, ...plain } = body('s');
      expect((await client.send('POST', '/api/v1/pdf/render', plain)).body.claimed).toBe(1);
    }));

  it('contains an expiring link if the attachment would exceed MAIL_MAX_MB', async () => {
    const mailbox = await openMailbox();
    const env = {
      SMTP_URL: mailbox.url,
      MAIL_ALLOW: '@agency.example',
      MAIL_MAX_MB: '0.02',
      PUBLIC_URL: 'https://reports.agency.example/',
    };
    await withApp(env, async (app, client) => {
      const flowId = await client.flow(flow);
      await recordPhotograph(app, { flowId, sessionId: 's' });
      const answer = await client.send('POST', '/api/v1/pdf/render', body('s'));
      expect(answer.body.delivery.email).toMatchObject({ as: 'link' });
      const [mail] = await mailbox.received(1);
      const text = mail!.source.replaceAll('=\r\n', '').replaceAll('=3D', '=');
      expect(text).not.toContain('application/pdf');
      const link = /https:\/\/reports\.agency\.example(\/api\/v1\/pdf\/reports\/\S+)/.exec(text)!;
      const expires = Number(/expires=(\d+)/.exec(link[1]!)![1]) * 1000;
      expect(text).toContain(`Download it here until ${ukStamp(expires)}:`);
      const file = await fetch(app.url + link[1]!);
      expect(file.headers.get('content-length')).toBe(String(answer.body.file.bytes));
    });
    await mailbox.close();
  });

  it.each([
    ['Host', 'host'],
    ['X-Forwarded-Host', 'x-forwarded-host'],
  ])(
    'contains no link built from %s: without PUBLIC_URL it fails, and the report stays',
    async (_, header) => {
      const mailbox = await openMailbox();
      const env = {
        SMTP_URL: mailbox.url,
        MAIL_ALLOW: '@agency.example',
        MAIL_MAX_MB: '0.02',
        TRUST_PROXY: '1',
      };
      await withApp(env, async (app, client) => {
        const flowId = await client.flow(flow);
        await recordPhotograph(app, { flowId, sessionId: 's' });
        const { status, body: answer } = await callRaw(
          `${app.url}/api/v1/pdf/render`,
          { [header]: 'phisher.example' },
          body('s'),
        );
        expect([status, answer.claimed]).toEqual([200, 1]);
        const failed = { status: 'failed', as: 'link', attempts: 0, code: 'public_url_not_configured' };
        expect(answer.delivery.email).toMatchObject({
          ...failed,
          error: expect.stringContaining('PUBLIC_URL'),
        });
        expect(answer.warnings).toMatchObject([
          { code: 'public_url_not_configured', path: 'delivery.email' },
        ]);
        const { body: listed } = await client.admin('GET', 'pdf/reports?sessionId=s');
        expect(listed.data).toMatchObject([{ id: answer.file.id, delivery: { email: failed } }]);
        expect((await fetch(listed.data[0].url as string)).status).toBe(200);
        app.clock.advance(3_600_000);
        await client.admin('GET', 'pdf/reports?sessionId=s');
        expect(mailbox.mails).toEqual([]);
      });
      await mailbox.close();
    },
  );

  it('is attached without PUBLIC_URL, if it fits', async () => {
    const mailbox = await openMailbox();
    await withApp({ SMTP_URL: mailbox.url, MAIL_ALLOW: '@agency.example' }, async (app, client) => {
      const flowId = await client.flow(flow);
      await recordPhotograph(app, { flowId, sessionId: 's' });
      const { body: answer } = await client.send('POST', '/api/v1/pdf/render', body('s'));
      expect(answer).toMatchObject({
        warnings: [],
        delivery: { email: { status: 'queued', as: 'attachment' } },
      });
      expect(await mailbox.received(1)).toHaveLength(1);
    });
    await mailbox.close();
  });

  it('is sent after a restart', async () => {
    const app = await startTestApp({
      env: { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_ALLOW: '@agency.example' },
    });
    const client = new ServiceClient(() => app);
    const flowId = await client.flow(flow);
    await recordPhotograph(app, { flowId, sessionId: 's' });
    expect((await client.send('POST', '/api/v1/pdf/render', body('s'))).status).toBe(200);
    await app.close({ keep: true });
    const mailbox = await openMailbox();
    const clock = app.clock;
    clock.advance(3_600_000);
    const again = await startTestApp({ place: app.place, clock, env: { SMTP_URL: mailbox.url } });
    expect((await mailbox.received(1))[0]!.recipients).toEqual([office]);
    await again.close();
    await mailbox.close();
  });
});
