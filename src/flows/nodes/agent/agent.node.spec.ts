import { AgentTrial, callOf, callsIn } from '../../../../test/fixtures/flows/agent-trial.js';
import { endedRuns, failureOf, resultOf, tokensOf } from '../../../../test/fixtures/flows/flow-runs.js';

describe('agent', () => {
  const trial = new AgentTrial();
  const { weather, run, sent } = trial;

  it('calls what the model asks for, tells it what that brought, and streams its answer', async () => {
    trial.model.answers.push(
      { toolCalls: [callOf('weather', { city: 'Leeds & York' })] },
      { tokens: ['It is', ' grey.'] },
    );
    const events = await run();
    expect(trial.model.requests[0]!.body.tools).toEqual([
      {
        type: 'function',
        function: expect.objectContaining({ name: 'weather', description: 'The weather of a city' }),
      },
    ]);
    expect(sent(1).at(-1)).toMatchObject({ role: 'tool', content: '{"sky":"grey"}' });
    expect(trial.asked.map(({ url }) => url)).toEqual(['/weather?city=Leeds%20&%20York']);
    expect(tokensOf(events)).toEqual(['It is', ' grey.']);
    expect(resultOf(events)).toMatchObject({
      text: 'It is grey.',
      tokens: { inputTokens: 14, outputTokens: 2 },
    });
    expect(endedRuns(events, 'n0')[0]!.output).toMatchObject({
      content: 'It is grey.',
      usedTools: [{ tool: 'weather', toolInput: { city: 'Leeds & York' }, toolOutput: '{"sky":"grey"}' }],
    });
  });

  it('makes the calls of a round at once, each a child in the trace, and tells clients of them', async () => {
    trial.answerWith = (url) => ({ body: JSON.stringify(url), waitMs: 60 });
    const cities = ['Leeds', 'York', 'Hull'];
    trial.model.answers.push({ toolCalls: cities.map((city) => callOf('weather', { city }, city)) });
    const events = await run();
    const calls = callsIn(events);
    const [node] = endedRuns(events, 'n0');
    expect(calls.map(({ parent, nodeId, kind, status }) => ({ parent, nodeId, kind, status }))).toEqual(
      cities.map(() => ({ parent: node!.runId, nodeId: 'n0/weather', kind: 'tool', status: 'succeeded' })),
    );
    const order = events.flatMap(({ type }) => (/^call|tools$/.test(type) ? [type] : []));
    expect(order).toEqual([
      'called-tools',
      ...['call-started', 'call-started', 'call-started'],
      ...['call-ended', 'call-ended', 'call-ended'],
      'used-tools',
    ]);
    const results = sent(1).filter(({ role }) => role === 'tool');
    expect(results.map(({ tool_call_id: id }) => id)).toEqual(cities);
  });

  it('tells the model what went wrong with a call, and goes on', async () => {
    trial.answerWith = () => ({ status: 503, body: 'closed' });
    trial.model.answers.push({
      toolCalls: [
        callOf('weather', { city: 'Leeds' }, 'a'),
        callOf('weather', '{"city":', 'b'),
        callOf('weather', { city: 5 }, 'c'),
        callOf('sing', {}, 'd'),
      ],
    });
    const events = await run();
    const told = sent(1).flatMap(({ role, content }) => (role === 'tool' ? [content] : []));
    expect(told).toEqual([
      'The target answered 503: closed',
      expect.stringContaining('not valid JSON'),
      'The arguments do not fit: city: must be a text.',
      'There is no tool "sing". There are "weather".',
    ]);
    expect(callsIn(events).map(({ status }) => status)).toEqual(Array(4).fill('failed'));
    expect(resultOf(events).text).toBe('Hello there');
  });

  it('fails when it has come to no answer within maxRounds, without making the last calls', async () => {
    trial.model.answers.push(
      ...Array.from({ length: 3 }, () => ({ toolCalls: [callOf('weather', { city: 'X' })] })),
    );
    expect(failureOf(await run({ maxRounds: 2 }))).toContain('within 2 rounds');
    expect(trial.model.requests).toHaveLength(2);
    expect(trial.asked).toHaveLength(1);
  });

  it('names an answer that is none, and answers with the words of a refusal', async () => {
    trial.model.answers.push({ tokens: [' '] });
    expect(failureOf(await run())).toContain('empty answer');
    trial.model.answers.push({ refusal: 'I will not.' });
    const refused = resultOf(await run());
    expect(refused).toMatchObject({ text: 'I will not.', warnings: [] });
    trial.model.answers.push({ tokens: ['It', ' is'], finish: 'length' });
    expect(resultOf(await run()).warnings).toMatchObject([{ code: 'answer_cut' }]);
  });

  it('lets what the model says before a call stand apart from its answer', async () => {
    trial.model.answers.push({ tokens: ['Let me see.'], toolCalls: [callOf('weather', { city: 'X' })] });
    const events = await run();
    expect(resultOf(events).text).toBe('Let me see.\n\nHello there');
    expect(endedRuns(events, 'n0')[0]!.output).toMatchObject({ content: 'Hello there' });
  });

  it('answers the members that are asked for', async () => {
    trial.model.answers.push(
      { toolCalls: [callOf('weather', { city: 'X' })] },
      { tokens: ['{"sky":"grey"}'] },
    );
    const events = await run({ structuredOutput: [{ key: 'sky', type: 'string' }] });
    expect(resultOf(events).json).toEqual({ sky: 'grey' });
    expect(trial.model.requests[1]!.body.response_format).toMatchObject({ type: 'json_schema' });
    trial.model.answers.push({ tokens: ['{"sky":5}'] }, { tokens: ['{"sky":"blue"}'] });
    const repaired = await run({ structuredOutput: [{ key: 'sky', type: 'string' }] });
    expect(resultOf(repaired)).toMatchObject({ text: '{"sky":"blue"}', json: { sky: 'blue' } });
    trial.model.answers.push({ tokens: ['none'] }, { tokens: ['none'] });
    expect(failureOf(await run({ structuredOutput: [{ key: 'sky' }] }))).toContain(
      'nor when it was asked again',
    );
  });

  it('remembers the chat and shows the pictures of the call', async () => {
    const bytes = Buffer.from('picture');
    await run(
      { memory: { kind: 'window', size: 1 }, messages: [{ role: 'system', content: 'Be brief.' }] },
      { uploads: [{ type: 'file', name: 'a.png', mime: 'image/png', bytes }] },
    );
    expect(sent(0).map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(JSON.stringify(sent(0).at(-1))).toContain(bytes.toString('base64'));
  });

  it('fills the settings of a tool once: what a caller or a model wrote is no template', async () => {
    const body = { city: '{{$args.city}}', asked: '{{question}}', key: '{{$vars.key}}' };
    trial.model.answers.push({ toolCalls: [callOf('weather', { city: '{{$vars.key}}' })] });
    const events = await run(
      {
        tools: [
          weather({
            method: 'POST',
            url: `http://${trial.host}/`,
            body,
            headers: { 'x-api-key': '{{$vars.key}}' },
          }),
        ],
      },
      { question: '{{$vars.key}} {{$args.city}}', vars: new Map([['key', 'sesame-open']]) },
    );
    expect(JSON.parse(trial.asked[0]!.body)).toEqual({
      city: '{{$vars.key}}',
      asked: '{{$vars.key}} {{$args.city}}',
      key: 'sesame-open',
    });
    expect(JSON.stringify(events.filter(({ type }) => type !== 'finished'))).not.toContain('sesame-open');
  });

  it('reaches no private address that is not allowed, whoever names it', async () => {
    trial.model.answers.push({ toolCalls: [callOf('web-page', { url: `http://${trial.host}/secret` })] });
    await run({ tools: [{ tool: 'web-page' }] }, {}, { env: {} });
    expect(sent(1).at(-1)!['content']).toContain('not public');
    expect(trial.asked).toEqual([]);
  });

  it('gives up on a tool that never answers, and on an answer without end', async () => {
    trial.answerWith = () => ({ body: '', waitMs: 5_000 });
    trial.model.answers.push({ toolCalls: [callOf('weather', { city: 'X' })] });
    await run({ tools: [weather({ timeoutMs: 50 })] });
    expect(sent(1).at(-1)!['content']).toBe('The target did not answer in time.');
    trial.answerWith = () => ({ body: 'x'.repeat(11 * 1024 * 1024) });
    trial.model.requests.length = 0;
    trial.model.answers.push({ toolCalls: [callOf('weather', { city: 'X' })] });
    await run();
    expect(sent(1).at(-1)!['content']).toContain('larger than');
  });

  it('tells the model a long result in part, and says so', async () => {
    trial.answerWith = () => ({ body: JSON.stringify('y'.repeat(300_000)) });
    trial.model.answers.push({ toolCalls: [callOf('weather', { city: 'X' })] });
    const events = await run();
    expect(String(sent(1).at(-1)!['content'])).toMatch(/\n\[cut, 300002 characters in all\]$/);
    expect(resultOf(events).warnings).toMatchObject([{ code: 'tool_result_cut' }]);
  });

  it('is stopped at once with its run, whatever it waits for', async () => {
    trial.answerWith = () => ({ body: '', waitMs: 5_000 });
    trial.model.answers.push({ toolCalls: [callOf('weather', { city: 'X' })] });
    const stop = new AbortController();
    const running = run({}, {}, { env: { OUTBOUND_ALLOW: trial.host }, signal: stop.signal });
    while (trial.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort('enough');
    const events = await running;
    expect(events.at(-1)).toMatchObject({ type: 'aborted' });
    expect(callsIn(events)).toMatchObject([{ status: 'stopped' }]);
  });
});
