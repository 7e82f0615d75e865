import { startTestApp, type TestApp } from './support/app.js';
import { ServiceClient } from './support/service-client.js';
import { buildPages } from './support/web.js';

describe('the front page', () => {
  let service: TestApp | undefined;
  const client = new ServiceClient(() => service!);

  beforeAll(buildPages, 120_000);
  afterEach(() => service?.close());

  async function pageWith(env: Record<string, string>): Promise<string> {
    service = await startTestApp({ env });
    return (await client.send('GET', '/', undefined, { accept: 'text/html' })).text;
  }

  const commandOf = (page: string) => /<code>(curl [^]*?)<\/code>/.exec(page)![1]!.replaceAll('&quot;', '"');

  it('links the sample chat, and its command works as shown', async () => {
    const page = await pageWith({ SAMPLES: 'on' });
    expect(page).toContain('href="/chat/inspection-assistant"');
    const [, address] = /curl "([^"]+)"/.exec(commandOf(page))!;
    const answer = await client.send('POST', new URL(address!).pathname, { question: 'Hello' });
    expect(answer.status).toBe(200);
    expect(page).not.toContain('{{');
  });

  it('names no flow that its owner has closed', async () => {
    await pageWith({ SAMPLES: 'on' });
    const { body: flow } = await client.admin('GET', 'flows/inspection-assistant');
    await client.admin('PUT', 'flows/inspection-assistant', { ...flow, access: { public: false } });
    const page = (await client.send('GET', '/')).text;
    expect(page).not.toContain('inspection-assistant');
  });

  it('shows without samples a command that a shell refuses until FLOW is set', async () => {
    const page = await pageWith({ SAMPLES: 'off' });
    expect(page).not.toContain('/chat/inspection-assistant');
    expect(commandOf(page)).toContain('/api/v1/prediction/${FLOW:?}');
    expect(page).not.toContain('{{');
  });
});
