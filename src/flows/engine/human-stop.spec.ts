import { edges, ending, node, run, start, textOf } from '../../../test/fixtures/flows/engine-kinds.js';
import { endedRuns } from '../../../test/fixtures/flows/flow-runs.js';
import type { Json } from './json.js';
import { waitingNodes } from './snapshot.js';

describe('a human stop', () => {
  const nodes = [
    start,
    node('ask', 'ask', { text: 'May I?' }),
    node('yes', 'quiet', { text: 'yes, {{other}} {{$flow.state.x}}' }),
    node('no', 'quiet', { text: 'no' }),
    node('other', 'quiet', { text: 'O', updateState: { x: '{{output}}' } }),
  ];
  const flow = edges('start>ask', 'start>other', 'ask>yes on proceed', 'ask>no on reject');

  it('waits with a snapshot of plain JSON, and a later run goes on from it', async () => {
    const stopped = ending(await run(nodes, flow));
    if (stopped.type !== 'waiting') throw new Error(stopped.type);
    expect(stopped).toMatchObject({ stop: { nodeId: 'ask', action: { id: 'ask' } } });
    expect(stopped.result.text).toBe('O\nMay I?');

    const resume = JSON.parse(JSON.stringify(stopped.stop.snapshot)) as Json;
    expect(waitingNodes(resume)).toEqual(['ask']);
    const humanInput = { type: 'proceed' as const, startNodeId: 'ask' };
    const events = await run(nodes, flow, { resume, humanInput });
    expect(textOf(events)).toBe('yes, O O');
    expect(endedRuns(events, 'ask')[0]).toMatchObject({ attempt: 2, status: 'succeeded' });
    expect(endedRuns(events, 'other')).toHaveLength(0);
  });

  it('refuses an answer to a node that does not wait', async () => {
    const stopped = ending(await run(nodes, flow));
    if (stopped.type !== 'waiting') throw new Error(stopped.type);
    const humanInput = { type: 'proceed' as const, startNodeId: 'yes' };
    const last = ending(await run(nodes, flow, { resume: stopped.stop.snapshot, humanInput }));
    expect(last).toMatchObject({
      type: 'failed',
      failure: { message: 'This node is not waiting for an answer.' },
    });
  });
});
