import { flowPicks } from './picks.js';

const config = { properties: { message: { type: 'string' } } };
const reply = { properties: { kind: { const: 'reply' }, config } };
const knowledge = {
  schema: { properties: { nodes: { items: { anyOf: [reply] } } } },
  known: { apiKeys: [], credentials: [] },
};
const flowWith = (count: number) => ({
  nodes: Array.from({ length: count }, (_, index) => ({ id: `n${index}`, kind: 'reply' })),
  overrides: ['n0.message', 'n1.message'],
});

it('overrides are chosen from the values of the nodes, and typed where these are too many', () => {
  const place = ['overrides', '1'];
  expect(flowPicks(knowledge, flowWith(1))(place)).toEqual([{ value: 'n0.message', name: 'n0.message' }]);
  expect(flowPicks(knowledge, flowWith(2_500))(place)).toHaveLength(2_500);
  expect(flowPicks(knowledge, flowWith(2_501))(place)).toBeUndefined();
  expect(flowPicks(knowledge, flowWith(1))(['chat', '1'])).toBeUndefined();
});
