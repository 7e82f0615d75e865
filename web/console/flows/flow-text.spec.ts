import type { FlowView } from '../../../src/api/flows.js';
import { differenceOf, settingsIn, textOfFlow } from './flow-text.js';

const flow = {
  edges: [],
  nodes: [{ id: 'start', kind: 'start' }],
  revision: 'r',
  isStreaming: true,
  createdAt: 'c',
  updatedAt: 'u',
  own: 1,
  name: 'Name',
  id: 'the-flow',
  access: { apiKeyId: null, allowedDomains: [], public: false, rateLimit: null },
} as unknown as FlowView;

describe('the text of a flow', () => {
  it("is its definition in a readable order, without settings and the store's members", () => {
    const text = textOfFlow(flow);
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['own', 'nodes', 'edges']);
    expect(settingsIn(flow)).toEqual({ name: flow.name, access: flow.access });
    expect(text.endsWith('}\n')).toBe(true);
  });
});

describe('the difference of two texts', () => {
  it.each([
    ['a\nb\nc', 'a\nB\nc', { mine: 'b', theirs: 'B', line: 2 }],
    ['a\nc', 'a\nb\nc', { mine: '', theirs: 'b', line: 2 }],
    ['a', 'a\na', { mine: '', theirs: 'a', line: 2 }],
    ['a\nb\nc\nd', 'a\nx\nc\ny\nd', { mine: 'b\nc', theirs: 'x\nc\ny', line: 2 }],
    ['', 'a', { mine: '', theirs: 'a', line: 1 }],
  ])('%j and %j', (mine, theirs, difference) => expect(differenceOf(mine, theirs)).toEqual(difference));

  it('is undefined for equal texts', () => expect(differenceOf('a\nb', 'a\nb')).toBeUndefined());
});
