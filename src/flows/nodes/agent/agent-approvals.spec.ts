import { AgentTrial, callOf, callsIn } from '../../../../test/fixtures/flows/agent-trial.js';
import { resultOf } from '../../../../test/fixtures/flows/flow-runs.js';
import type { Json } from '../../engine/json.js';
import type { Upload } from '../../engine/node-kind.js';
import type { RunEvent } from '../../engine/run-event.js';

describe('an agent with tools that need a human', () => {
  const trial = new AgentTrial();
  const { weather, run, sent } = trial;

  const pay = (): Json =>
    weather({ name: 'pay', method: 'POST', url: `http://${trial.host}/pay`, requiresApproval: true });
  const tools = () => [weather(), pay()];
  const ask = () =>
    trial.model.answers.push({
      tokens: ['Paying.'],
      toolCalls: [
        callOf('pay', { city: 'A' }, 'p1'),
        callOf('weather', { city: 'B' }, 'w'),
        callOf('pay', { city: 'C' }, 'p2'),
      ],
    });
  const stopIn = (events: readonly RunEvent[]) => {
    const last = events.at(-1)!;
    if (last.type !== 'waiting') throw new Error(JSON.stringify(last));
    return last.approval;
  };
  const goOn = (events: readonly RunEvent[], answer: { type: 'proceed' | 'reject'; feedback?: string }) =>
    run(
      { tools: tools() },
      { resume: { snapshot: JSON.parse(JSON.stringify(stopIn(events).snapshot)) as Json, answer } },
    );

  it('stops once for all of a round, makes them when they are allowed, and goes on within the round', async () => {
    ask();
    const events = await run({ tools: tools() });
    const stop = stopIn(events);
    expect(stop.action).toMatchObject({
      data: {
        input: {
          calls: [
            { tool: 'pay', arguments: { city: 'A' } },
            { tool: 'pay', arguments: { city: 'C' } },
          ],
        },
      },
    });
    expect(stop.text).toContain('May "pay" be called with this?\ncity: A');
    expect(trial.asked.map(({ url }) => url)).toEqual(['/weather?city=B']);

    const later = await goOn(events, { type: 'proceed', feedback: 'Go easy' });
    expect(trial.asked.map(({ url }) => url)).toEqual(['/weather?city=B', '/pay', '/pay']);
    expect(resultOf(later).text).toBe('Hello there');
    const results = sent(1).filter(({ role }) => role === 'tool');
    expect(results.map(({ tool_call_id: id }) => id)).toEqual(['p1', 'w', 'p2']);
    expect(results[0]!['content']).toContain('They said: Go easy');
    expect(trial.model.requests).toHaveLength(2);
  });

  it('keeps no picture while it waits, and shows the model the same again', async () => {
    const bytes = Buffer.alloc(2_000_000, 7);
    const uploads: Upload[] = [
      { type: 'file', name: 'a.txt', mime: 'text/plain', bytes: Buffer.from('text') },
      { type: 'file', name: 'a.png', mime: 'image/png', bytes },
      { type: 'url', name: 'b.png', mime: 'image/png', url: 'https://example.com/b.png' },
    ];
    ask();
    const events = await run({ tools: tools() }, { uploads });
    const snapshot = JSON.stringify(stopIn(events).snapshot);
    expect(snapshot.length).toBeLessThan(20_000);
    await run(
      { tools: tools() },
      { uploads, resume: { snapshot: JSON.parse(snapshot) as Json, answer: { type: 'proceed' } } },
    );
    const [before, after] = [sent(0), sent(1)].map((messages) =>
      messages.find(({ role }) => role === 'user'),
    );
    expect(JSON.stringify(after)).toContain(bytes.toString('base64'));
    expect(after).toEqual(before);
  });

  it('tells the model what a human did not allow, and why', async () => {
    ask();
    const later = await goOn(await run({ tools: tools() }), { type: 'reject', feedback: 'Too dear' });
    expect(trial.asked).toHaveLength(1);
    expect(sent(1).at(-1)!['content']).toBe('A human did not allow this call. They said: Too dear');
    expect(callsIn(later).map(({ status }) => status)).toEqual(['failed', 'failed']);
  });
});
