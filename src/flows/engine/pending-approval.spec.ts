import { edges, ending, node, run, start, textOf } from '../../../test/fixtures/flows/engine-kinds.js';
import { endedRuns } from '../../../test/fixtures/flows/flow-runs.js';
import type { HumanAnswer } from './human-question.js';
import type { Json } from './json.js';
import type { PendingApproval, RunEvent } from './run-event.js';

const approvalOf = (events: readonly RunEvent[]): PendingApproval => {
  const last = ending(events);
  if (last.type !== 'waiting') throw new Error(JSON.stringify(last));
  return last.approval;
};

/** Returns the options that resume a run with an answer. */
const answered = (approval: PendingApproval, answer: HumanAnswer) => ({
  resume: { snapshot: JSON.parse(JSON.stringify(approval.snapshot)) as Json, answer },
});

describe('an approval', () => {
  //        ┌─ proceed ─▶ yes
  // start ─▶ ask ─ reject ─▶ no
  //      └─▶ other
  const nodes = [
    start,
    node('ask', 'ask', { text: 'May I?' }),
    node('yes', 'quiet', { text: 'yes, {{other}} {{$flow.state.x}}' }),
    node('no', 'quiet', { text: 'no' }),
    node('other', 'quiet', { text: 'O', updateState: { x: '{{output}}' } }),
  ];
  const flow = edges('start>ask', 'start>other', 'ask>yes on proceed', 'ask>no on reject');

  it('waits with a snapshot of plain JSON, and a later run goes on from it', async () => {
    const events = await run(nodes, flow);
    const approval = approvalOf(events);
    expect(approval).toMatchObject({ nodeId: 'ask', text: 'May I?', feedback: false });
    expect(textOf(events)).toBe('O\nMay I?');

    const later = await run(nodes, flow, answered(approval, { type: 'proceed' }));
    expect(textOf(later)).toBe('yes, O O');
    expect(endedRuns(later, 'ask')[0]).toMatchObject({ attempt: 2, status: 'succeeded' });
    expect(endedRuns(later, 'other')).toHaveLength(0);
    expect(textOf(await run(nodes, flow, answered(approval, { type: 'reject' })))).toBe('no');
  });

  it('names itself by its node and something random, in the action that clients draw', async () => {
    const approval = approvalOf(await run(nodes, flow));
    expect(approval.name).toMatch(/^ask#t\d+$/);
    expect(approval.action).toEqual({
      id: expect.any(String),
      mapping: { approve: 'Proceed', reject: 'Reject' },
      elements: [
        { type: 'agentflowv2-approve-button', label: 'Proceed' },
        { type: 'agentflowv2-reject-button', label: 'Reject' },
      ],
      data: { nodeId: approval.name, nodeLabel: 'ask', input: { humanInputEnableFeedback: false } },
    });
  });

  it('asks one question after another where several nodes wait', async () => {
    const two = [
      start,
      node('a', 'ask', { text: 'A?' }),
      node('b', 'ask', { text: 'B?' }),
      node('end', 'quiet', { text: '{{a}} {{b}}' }),
    ];
    const both = edges('start>a', 'start>b', 'a>end on proceed', 'b>end on reject');
    const first = approvalOf(await run(two, both));
    const events = await run(two, both, answered(first, { type: 'proceed' }));
    const second = approvalOf(events);
    expect([first.text, second.text]).toEqual(['A?', 'B?']);
    expect(second.name).not.toBe(first.name);
    expect(textOf(await run(two, both, answered(second, { type: 'reject' })))).toBe('proceed reject');
  });

  it('asks again at a node that a loop runs again: an answer is for one question', async () => {
    const again = [
      start,
      node('count', 'count'),
      node('ask', 'ask', { text: 'Round {{$flow.state.round}}?' }),
      node('loop', 'loop', { to: 'count', rounds: 2 }),
    ];
    const around = edges('start>count', 'count>ask', 'ask>loop on proceed');
    const first = approvalOf(await run(again, around));
    const second = approvalOf(await run(again, around, answered(first, { type: 'proceed' })));
    expect([first.text, second.text]).toEqual(['Round 1?', 'Round 2?']);
    expect(textOf(await run(again, around, answered(second, { type: 'proceed' })))).toBe('done');
  });

  it('resumes the node that asked, with its memo and the approved calls', async () => {
    const tools = [start, node('agent', 'tools', { calls: ['pay', 'book', 'mail'] })];
    const first = approvalOf(await run(tools, edges('start>agent')));
    expect(first).toMatchObject({
      text: 'pay and book?',
      feedback: true,
      action: {
        data: {
          input: {
            humanInputEnableFeedback: true,
            calls: [
              { tool: 'pay', arguments: { of: 'pay' } },
              { tool: 'book', arguments: { of: 'book' } },
            ],
          },
        },
      },
    });
    expect(JSON.stringify(first.action)).not.toContain('memo');
    const later = await run(tools, edges('start>agent'), answered(first, { type: 'proceed' }));
    const second = approvalOf(later);
    expect(second.text).toBe('mail?');
    const no = { type: 'reject', feedback: 'not today' } as const;
    expect(textOf(await run(tools, edges('start>agent'), answered(second, no)))).toBe(
      'pay: proceed, book: proceed, mail: not today',
    );
  });

  it('streams the rest of a run although leaves before it ended or were passed over earlier', async () => {
    const parts = [
      start,
      node('said', 'say', { text: 'said' }),
      node('if', 'pick', { take: 'else' }),
      node('dead', 'say', { text: 'dead' }),
      node('ask', 'ask', { text: 'May I?' }),
      node('rest', 'say', { text: 'a b c' }),
    ];
    const ways = edges('start>said', 'start>if', 'if>dead on 0', 'if>ask on else', 'ask>rest on proceed');
    const approval = approvalOf(await run(parts, ways));
    const events = await run(parts, ways, answered(approval, { type: 'proceed' }));
    expect(events.filter(({ type }) => type === 'token')).toHaveLength(3);
    expect(textOf(events)).toBe('a b c');
  });

  it('answers where the decision leads nowhere, also if a leaf has answered before', async () => {
    const parts = [start, node('said', 'say', { text: 'said' }), node('ask', 'ask', { text: 'May I?' })];
    const ways = edges('start>said', 'start>ask', 'ask>yes on proceed');
    const all = [...parts, node('yes', 'quiet', { text: 'yes' })];
    const approval = approvalOf(await run(all, ways));
    expect(textOf(await run(all, ways, answered(approval, { type: 'reject' })))).toBe('reject');
    expect(textOf(await run(all, ways, answered(approval, { type: 'proceed' })))).toBe('yes');
  });

  it('reads its own state, and adds what it changes to the state that the chat has by then', async () => {
    const parts = [
      start,
      node('set', 'set', { state: { mine: 1, both: 'mine' } }),
      node('ask', 'ask', { text: 'May I?' }),
      node('rest', 'quiet', { text: '{{$flow.state.both}}', updateState: { after: '{{output}}' } }),
    ];
    const ways = edges('start>set', 'set>ask', 'ask>rest on proceed');
    const approval = approvalOf(await run(parts, ways, { state: { first: 0 } }));
    const state = { first: 0, mine: 1, both: 'theirs', theirs: 2 };
    const last = ending(await run(parts, ways, { ...answered(approval, { type: 'proceed' }), state }));
    expect(last).toMatchObject({ result: { text: 'mine', stateChanged: true } });
    expect('result' in last && last.result.state).toEqual({ ...state, after: 'mine' });
  });

  it('masks the secrets of the nodes before it also after the answer', async () => {
    const parts = [
      start,
      node('get', 'knows', { text: 'k3y-of-the-target' }),
      node('ask', 'ask', { text: 'May I?' }),
      node('rest', 'quiet', { text: 'It sent {{get}}' }),
    ];
    const ways = edges('start>get', 'get>ask', 'ask>rest on proceed');
    const approval = approvalOf(await run(parts, ways));
    const later = await run(parts, ways, answered(approval, { type: 'proceed' }));
    expect(textOf(later)).toBe('It sent [masked]');
  });

  it('keeps how often the loop around it has gone back', async () => {
    const around = [
      start,
      node('which', 'pick', { take: '{{loop_count}}' }),
      node('ask', 'ask', { text: 'Again?' }),
      node('again', 'rounds', { to: 'which', max: 2 }),
    ];
    const ways = edges('start>which', 'which>again on 0', 'which>ask on 1', 'ask>again on proceed');
    const approval = approvalOf(await run(around, ways));
    const events = await run(around, ways, answered(approval, { type: 'proceed' }));
    expect(textOf(events)).toBe('round 2');
    expect(endedRuns(events, 'which')).toHaveLength(0);
  });

  it('fails where it would have to keep too much until the answer', async () => {
    const big = node('big', 'quiet', { text: 'x'.repeat(8 * 1024 * 1024) });
    const last = ending(
      await run([start, big, node('ask', 'ask', { text: 'May I?' })], edges('start>big', 'big>ask')),
    );
    expect(last).toMatchObject({
      type: 'failed',
      failure: { nodeId: 'ask', message: expect.stringContaining('while it waits for a human') },
    });
  });

  it('says so when the flow was changed so much meanwhile that it cannot go on', async () => {
    const approval = approvalOf(await run(nodes, flow));
    const goOn = (...changed: Parameters<typeof run>) =>
      run(changed[0], changed[1], answered(approval, { type: 'proceed' }));
    const failureOf = async (...changed: Parameters<typeof run>) => {
      const last = ending(await goOn(...changed));
      return last.type === 'failed' ? [last.failure.nodeId, last.failure.message] : [last.type];
    };
    const because = (why: string) => [
      'ask',
      `The flow was changed while "ask" waited for an answer: ${why}. Send the question again to start another run.`,
    ];
    expect(await failureOf(nodes.slice(0, 2), [flow[0]!])).toEqual(
      because('it has no edge from "start" to "other" any more'),
    );
    const without = nodes.filter(({ id }) => id !== 'ask');
    const around = flow.filter(({ from, to }) => from !== 'ask' && to !== 'ask');
    expect((await failureOf(without, around))[0]).toBe('ask');
    const asks = nodes.map((each) => (each.id === 'ask' ? node('ask', 'quiet', { text: 'x' }) : each));
    expect(await failureOf(asks, flow)).toEqual(
      because('"ask" is a node of the kind "quiet" now, and was "ask"'),
    );
  });
});
