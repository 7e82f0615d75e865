import type { ExecutionWithTrace } from '../../../../src/api/executions.js';
import type { PredictionEvent } from '../../../../src/api/predictions.js';
import { adviceFor, newTurn, type Turn, withEvent, withRecord, withTrace } from './turn.js';

const follow = (...events: [event: string, data: unknown][]): Turn =>
  events.reduce(
    (turn, [event, data]) => withEvent(turn, { event, data } as PredictionEvent),
    newTurn(1, 'Hello', []),
  );
const node = (nodeId: string, status: string) =>
  ['nextAgentFlow', { nodeId, nodeLabel: `The ${nodeId}`, status }] as [string, unknown];

describe('a turn', () => {
  it('collects tokens and the states of nodes', () => {
    const turn = follow(
      ['agentFlowEvent', 'INPROGRESS'],
      node('start', 'INPROGRESS'),
      node('start', 'FINISHED'),
      node('llm', 'INPROGRESS'),
      ['token', 'Hel'],
      ['token', 'lo'],
    );
    expect(turn.answer).toBe('Hello');
    expect([...turn.nodes]).toEqual([
      ['start', { status: 'succeeded', order: 0 }],
      ['llm', { status: 'running', order: 1 }],
    ]);
  });

  it('knows the failed node and the cause', () => {
    const turn = follow(node('llm', 'INPROGRESS'), node('llm', 'ERROR'), ['error', 'No.']);
    expect(turn).toMatchObject({ error: 'No.', failedNode: { id: 'llm', label: 'The llm' } });
  });

  it('takes its cost from the metadata, and ignores unknown events', () => {
    const usage = { credits: 2, inputTokens: 3, outputTokens: 4 };
    const turn = follow(['metadata', { executionId: 'e', usage }], ['odd', null]);
    expect(turn).toMatchObject({ executionId: 'e', credits: 2, tokens: { inputTokens: 3, outputTokens: 4 } });
  });

  it('is completed by its trace', () => {
    const run = { nodeId: 'if', status: 'succeeded', durationMs: 5, output: { branch: '1' } };
    const trace = {
      durationMs: 9,
      credits: 1,
      nodes: [run, { ...run, output: null }],
    } as unknown as ExecutionWithTrace;
    const turn = withTrace(newTurn(1, '', []), trace);
    expect(turn.durationMs).toBe(9);
    expect(turn.nodes.get('if')).toEqual({ status: 'succeeded', durationMs: 5, order: 0 });
  });

  it.each([
    ['succeeded', { answer: 'All of it' }, { state: 'done', answer: 'All of it' }],
    ['failed', { error: 'It stopped.' }, { state: 'failed', answer: 'Part', error: 'It stopped.' }],
    ['aborted', { error: 'Left.' }, { state: 'stopped', answer: 'Part', error: 'Left.' }],
  ])('ends as its record says when its stream was lost: %s', (status, recorded, shown) => {
    const record = {
      status,
      ...recorded,
      durationMs: 9,
      credits: 1,
      nodes: [],
    } as unknown as ExecutionWithTrace;
    expect(withRecord(follow(['token', 'Part']), record)).toMatchObject({ ...shown, durationMs: 9 });
  });

  it('has advice when a model is missing', () => {
    expect(adviceFor('No model is configured. Give the node a model.')?.page).toBe('credentials');
    expect(adviceFor('Something else.')).toBeUndefined();
  });
});
