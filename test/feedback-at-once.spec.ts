import { startTestApp, type TestApp } from './support/app.js';
import { replyFlow } from './support/flows.js';
import { ServiceClient } from './support/service-client.js';

const ROUNDS = 20;

/** Chat clients send a rating and its comment in separate calls (contract section 7). */
describe('a concurrent rating and comment', () => {
  let app: TestApp;
  const client = new ServiceClient(() => app);

  beforeAll(async () => {
    app = await startTestApp();
  });

  afterAll(() => app.close());

  it('do not overwrite each other', async () => {
    const flow = await client.flow(replyFlow('Hi', { id: 'rated' }));
    const ids: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const given = { chatId: 'c', messageId: `m${round}`, rating: 'THUMBS_UP', content: 'before' };
      const { id } = (await client.send('POST', `/api/v1/feedback/${flow}`, given)).body;
      const change = (body: object) => client.send('PUT', `/api/v1/feedback/${id}`, body);
      await Promise.all([change({ rating: 'THUMBS_DOWN' }), change({ content: 'after' })]);
      ids.push(id);
    }
    const { data } = (await client.admin('GET', `feedback/${flow}?limit=100`)).body;
    const stored = data.map(({ rating, content }: Record<string, string>) => `${rating} ${content}`);
    expect(stored).toEqual(ids.map(() => 'THUMBS_DOWN after'));
  });
});
