import { MOST_EDGES, MOST_NODES } from '../src/api/flow-definition.js';
import { FLOW_BYTES } from '../src/common/bodies/valid-body.decorator.js';
import { startTestApp, type TestApp } from './support/app.js';
import { ServiceClient } from './support/service-client.js';

/** Returns a chain of replies, of which the last has this message. */
const chain = (count: number, message = 'Here') => ({
  nodes: Array.from({ length: count }, (_, index) => ({
    id: index === 0 ? 'start' : `n${index}`,
    ...(index === 0
      ? { kind: 'start' }
      : { kind: 'reply', config: { message: index === count - 1 ? message : '-' } }),
  })),
  edges: Array.from({ length: count - 1 }, (_, index) => ({
    from: index === 0 ? 'start' : `n${index}`,
    to: `n${index + 1}`,
  })),
});

describe('the size of a flow', () => {
  let service: TestApp;
  const client = new ServiceClient(() => service);
  beforeAll(async () => {
    service = await startTestApp();
  });
  afterAll(() => service.close());

  it('is at most that of a body: one byte more is refused by its code, and changes nothing', async () => {
    const flow = await client.flow({ name: 'Bytes', ...chain(2, 'First') });
    const bytes = (letters: number) => JSON.stringify(chain(2, 'x'.repeat(letters)));
    const room = FLOW_BYTES - bytes(0).length;
    for (const [method, path] of [
      ['PUT', `flows/${flow}/draft`],
      ['POST', 'flows/check'],
    ] as const) {
      const refused = await client.admin(method, path, bytes(room + 1));
      expect([refused.status, refused.body.code]).toEqual([413, 'body_too_large']);
    }
    expect((await client.admin('GET', `flows/${flow}/draft`)).status).toBe(404);
    const saved = await client.admin('PUT', `flows/${flow}/draft`, bytes(room));
    expect([saved.status, saved.body.errors]).toEqual([200, []]);
    expect((await client.admin('POST', `flows/${flow}/publish`, {})).body.version).toBe(2);
    expect((await client.admin('GET', `flows/${flow}`)).body.nodes[1].config.message).toHaveLength(room);
  });

  it('is at most 1,000 nodes and 10,000 edges: more are a fault, with which a draft is stored', async () => {
    const flow = await client.flow({ name: 'Nodes', ...chain(2, 'First') });
    const most = chain(MOST_NODES);
    const draft = (definition: object) => client.admin('PUT', `flows/${flow}/draft`, definition);
    expect((await draft(most)).body.errors).toEqual([]);
    expect((await client.admin('POST', `flows/${flow}/publish`, {})).body.version).toBe(2);
    expect((await client.predict(flow, { question: 'q' })).body.text).toContain('Here');
    const many = Array.from({ length: MOST_EDGES + 1 }, () => most.edges[0]);
    for (const [path, definition] of [
      ['nodes', chain(MOST_NODES + 1)],
      ['edges', { ...most, edges: many }],
    ] as const) {
      const { status, body } = await draft(definition);
      expect([status, body.errors]).toMatchObject([
        200,
        [{ path, message: expect.stringContaining('at most') }],
      ]);
      expect(body[path]).toHaveLength(definition[path].length);
      expect((await client.admin('POST', `flows/${flow}/publish`, {})).body.code).toBe('invalid_flow');
    }
  });
});
