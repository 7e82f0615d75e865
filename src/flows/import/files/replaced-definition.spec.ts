import type { FlowDefinition } from '../../definition/flow-definition.js';
import type { Members } from '../rows/members.js';
import { replacedDefinition } from './replaced-definition.js';

const model = (more: object = {}) => ({
  provider: 'openai-compatible',
  name: 'm',
  baseUrl: 'https://m.test',
  ...more,
});
const nodes = (given: object, url: string) => [
  { id: 'start', kind: 'start' },
  { id: 'ask', kind: 'llm', config: { messages: [], model: given } },
  { id: 'get', kind: 'http', config: { url } },
];

describe('an import that replaces a flow', () => {
  const [ask, get] = [{ credentialId: 'of-model' }, { credentialId: 'of-target' }];
  const stored = {
    id: 'one',
    name: 'Here',
    price: 5,
    access: { apiKeyId: 'k' },
    vars: { town: { value: 'Perth' }, other: { value: 1 } },
    overrides: ['ask.model.name', 'gone.message'],
    chat: { brand: {} },
    report: { defaultSentence: 'All good unless stated.' },
    notes: [{ text: 'Here', position: { x: 1, y: 2 } }],
    nodes: [
      ...nodes(model(ask), 'https://x.test').slice(0, 2),
      { id: 'get', kind: 'http', config: { url: 'https://x.test', ...get } },
    ],
    edges: [],
  } as unknown as FlowDefinition;
  const replaced = (given: object, url: string, more: object = {}) =>
    replacedDefinition(
      {
        id: 'one',
        name: 'There',
        access: { apiKeyId: null },
        nodes: nodes(given, url),
        edges: [],
        ...more,
      } as Members,
      stored,
    );

  it('leaves its settings, and what no export holds', () => {
    expect(replaced(model(), 'https://x.test', { vars: { town: { value: 'Leeds' } } })).toMatchObject({
      ...{ name: 'Here', price: 5, access: { apiKeyId: 'k' }, chat: { brand: {} } },
      vars: { town: { value: 'Leeds' }, other: { value: 1 } },
      overrides: ['ask.model.name'],
      report: { defaultSentence: 'All good unless stated.' },
      notes: [{ text: 'Here' }],
    });
  });

  it('takes the notes of the export if it has any', () => {
    const notes = [{ text: 'There', position: { x: 0, y: 0 } }];
    expect(replaced(model(), 'https://x.test', { notes }).notes).toEqual(notes);
  });

  it('leaves a credential where the address is the same, and nowhere else', () => {
    const credentials = ({ nodes }: FlowDefinition) => [
      (nodes[1]!.config!['model'] as Members)['credentialId'],
      nodes[2]!.config!['credentialId'],
    ];
    expect(credentials(replaced(model(), 'https://x.test'))).toEqual(['of-model', 'of-target']);
    expect(credentials(replaced(model({ baseUrl: 'https://y.test' }), 'https://y.test'))).toEqual([
      undefined,
      undefined,
    ]);
    expect(credentials(replaced(model({ credentialId: 'new' }), ''))).toEqual(['new', undefined]);
  });

  it('leaves the credentials of an agent’s tools, wherever they stand now', () => {
    const request = (url: string, more: object = {}) => ({ tool: 'http', url, ...more });
    const agent = (...tools: object[]) => ({ nodes: [{ id: 'a', kind: 'agent', config: { tools } }] });
    const before = agent(request('https://x.test', { credentialId: 'of-x' }), {
      tool: 'mcp',
      url: 'https://y.test',
      credentialId: 'of-y',
    }) as unknown as FlowDefinition;
    const now = agent(
      request('https://y.test'),
      { tool: 'mcp', url: 'https://y.test' },
      request('https://x.test', { description: 'Reads.' }),
    ) as Members;
    expect(replacedDefinition({ edges: [], ...now }, before).nodes[0]!.config!['tools']).toEqual([
      request('https://y.test'),
      { tool: 'mcp', url: 'https://y.test', credentialId: 'of-y' },
      request('https://x.test', { credentialId: 'of-x', description: 'Reads.' }),
    ]);
  });
});
