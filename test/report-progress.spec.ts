import { randomUUID } from 'node:crypto';
import { startTestApp, type TestApp } from './support/app.js';
import { recordPhotograph, smallJpeg } from './support/recorded-photographs.js';
import { ServiceClient } from './support/service-client.js';

interface Told {
  event: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  data: any;
}

describe('the progress of a render', () => {
  let app: TestApp;
  let client: ServiceClient;
  beforeAll(async () => {
    app = await startTestApp({ env: { RENDERS_PER_MINUTE: '100000' } });
    client = new ServiceClient(() => app);
  });
  afterAll(() => app.close());

  async function photographs(flowId: string, sessionId: string, count: number): Promise<void> {
    const jpeg = await smallJpeg();
    for (let index = 0; index < count; index++)
      await recordPhotograph(app, { flowId, sessionId, area: `Room ${index % 40}`, jpeg });
  }

  it('is streamed to an async caller, page by page, until the answer', async () => {
    const flowId = await client.flow({ name: 'Open', nodes: [{ id: 'start', kind: 'start' }], edges: [] });
    const sessionId = randomUUID();
    await photographs(flowId, sessionId, 800);
    const body = {
      templateId: 'inspection',
      source: { type: 'inspection', sessionId, meta: { address: 'Long Street '.repeat(40_000) } },
    };
    const accepted = await client.send('POST', '/api/v1/pdf/render', body, { prefer: 'respond-async' });
    expect(accepted.status).toBe(202);
    const stream = await client.send('GET', accepted.headers.get('location')!, undefined, {
      accept: 'text/event-stream',
    });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    const frames = [...stream.text.matchAll(/^data: (.*)$/gm)].map((match) => JSON.parse(match[1]!) as Told);
    const drawing = frames.filter(({ event, data }) => event === 'progress' && data.phase === 'drawing');
    expect(drawing.length).toBeGreaterThan(0);
    for (const { data } of drawing) expect(data.page).toBeLessThanOrEqual(data.pages);
    const pages = drawing.map(({ data }) => data.page as number);
    expect(pages).toEqual([...pages].sort((one, other) => one - other));
    expect(frames.slice(-2).map(({ event }) => event)).toEqual(['result', 'end']);
    expect(frames.at(-2)!.data.claimed).toBe(800);
  });

  it('is sent in the stream of a prediction whose flow renders', async () => {
    const flowId = await client.flow({
      name: 'Report and reply',
      nodes: [
        { id: 'start', kind: 'start' },
        {
          id: 'report',
          label: 'Make the report',
          kind: 'render',
          config: { meta: { address: '{{question}}' } },
        },
        { id: 'reply', kind: 'reply', config: { message: 'Pages: {{report.output.file.pages}}' } },
      ],
      edges: [
        { from: 'start', to: 'report' },
        { from: 'report', to: 'reply' },
      ],
    });
    const chatId = randomUUID();
    await photographs(flowId, chatId, 60);
    const stream = await client.stream(flowId, { question: '1 High Street', chatId });
    await stream.done;
    const names = stream.events.map(({ event }) => event);
    const progress = stream.events.filter(({ event }) => event === 'progress');
    expect(progress[0]!.data).toEqual({
      nodeId: 'report',
      nodeLabel: 'Make the report',
      progress: { phase: 'waiting' },
    });
    for (const { data } of progress.slice(1))
      expect(data.progress).toMatchObject({
        phase: 'drawing',
        page: expect.any(Number),
        pages: expect.any(Number),
      });
    expect(names.lastIndexOf('progress')).toBeLessThan(names.indexOf('token'));
    const tokens = stream.events.filter(({ event }) => event === 'token').map(({ data }) => data as string);
    expect(tokens.join('')).toMatch(/^Pages: \d+$/);
    expect(names.at(-1)).toBe('end');
  });
});
