import { ModelTrial, chunk, END, question } from '../../../test/fixtures/models/model-trial.js';
import { answerMessage, resultMessage } from './model-answer.js';

describe('tools of the chat protocol', () => {
  const asked = new ModelTrial();

  const tools = [{ name: 'weather', description: 'Now', parameters: { type: 'object', properties: {} } }];

  it('are offered, and called several at a time with arguments in pieces', async () => {
    const toolCalls = [
      { name: 'weather', arguments: '{"city":"Leeds","days":3}' },
      { name: 'weather', arguments: '{"city":"York"}' },
    ];
    for (const whole of [false, true]) {
      const answer = await asked.ask(
        { tokens: ['One moment.'], toolCalls, whole },
        { tools, toolChoice: 'required' },
      );
      expect(answer).toMatchObject({
        text: 'One moment.',
        finishReason: 'tool-calls',
        toolCalls: [
          { id: 'call-0', name: 'weather', arguments: { city: 'Leeds', days: 3 } },
          { id: 'call-1', name: 'weather', arguments: { city: 'York' } },
        ],
      });
    }
    expect(asked.sent).toMatchObject({
      tools: [{ type: 'function', function: tools[0] }],
      tool_choice: 'required',
    });
  });

  it.each([
    ['{"city":', 'its arguments are not valid JSON'],
    ['["Leeds"]', 'its arguments are not a JSON object'],
    [`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`, 'its arguments are nested too deep'],
  ])('are not called with broken arguments (%#)', async (raw, fault) => {
    const answer = await asked.ask({ toolCalls: [{ name: 'weather', arguments: raw }] }, { tools });
    expect(answer.toolCalls).toEqual([{ id: 'call-0', name: 'weather', malformed: { raw, fault } }]);
  });

  it('show no more of broken arguments than anybody reads, and take no arguments for none', async () => {
    const calls = [
      { name: 'weather', arguments: 'x'.repeat(10_000) },
      { name: 'weather', arguments: '' },
      { name: '', arguments: '{}' },
    ];
    const { toolCalls } = await asked.ask({ toolCalls: calls }, { tools });
    expect(toolCalls).toEqual([
      expect.objectContaining({ malformed: expect.objectContaining({ raw: 'x'.repeat(2_000) }) }),
      { id: 'call-1', name: 'weather', arguments: {} },
      expect.objectContaining({ malformed: { raw: '{}', fault: 'it names no tool' } }),
    ]);
  });

  it('that were cut off by maxTokens are not called', async () => {
    const { toolCalls } = await asked.ask({
      toolCalls: [{ name: 'weather', arguments: '' }],
      finish: 'length',
    });
    expect(toolCalls).toMatchObject([
      { malformed: { fault: 'the answer was cut off before its arguments' } },
    ]);
  });

  it('are understood from servers that number them wrongly, or not at all', async () => {
    const call = (more: object, name?: string, given = '{}') => ({
      ...more,
      function: { ...(name === undefined ? {} : { name }), arguments: given },
    });
    const calls = [
      call({ index: 0, id: 'a' }, 'one'),
      call({ index: 0, id: 'b' }, 'two'),
      call({ id: 'c' }, 'three', ''),
    ];
    const raw = [...calls, call({}, undefined, '{"x":1}')].map((piece) => chunk({ tool_calls: [piece] }));
    const { toolCalls } = await asked.ask({ raw: [...raw, END] });
    expect(toolCalls).toEqual([
      { id: 'a', name: 'one', arguments: {} },
      { id: 'b', name: 'two', arguments: {} },
      { id: 'c', name: 'three', arguments: { x: 1 } },
    ]);
    const unnamed = await asked.ask({ raw: [chunk({ tool_calls: [call({}, 'one')] }), END] });
    expect(unnamed.toolCalls[0]!.id).toMatch(/^[a-z0-9]{9}$/);
  });

  it('and their results go back as they came, with what the model thought', async () => {
    const toolCalls = [
      { name: 'weather', arguments: '{"city":"Leeds"}' },
      { name: 'weather', arguments: '{' },
    ];
    const answer = await asked.ask({ thinking: ['I should', ' look.'], toolCalls }, { tools });
    const [good, bad] = answer.toolCalls;
    const messages = [
      question,
      answerMessage(answer),
      resultMessage(good!, 'Rain'),
      resultMessage(bad!, 'no JSON', true),
    ];
    expect((await asked.ask({ tokens: ['It rains.'] }, { messages, tools })).text).toBe('It rains.');
    expect(asked.sent.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'I should look.',
        tool_calls: [
          { id: 'call-0', type: 'function', function: { name: 'weather', arguments: '{"city":"Leeds"}' } },
          { id: 'call-1', type: 'function', function: { name: 'weather', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call-0', content: 'Rain' },
      { role: 'tool', tool_call_id: 'call-1', content: 'no JSON' },
    ]);
  });

  it('carry back what an address wants back with its call', async () => {
    const extra_content = { google: { thought_signature: 'sig' } };
    const call = { index: 0, id: 'a', extra_content, function: { name: 'weather', arguments: '{}' } };
    const answer = await asked.ask({ raw: [chunk({ tool_calls: [call] }), END] });
    await asked.ask({ tokens: ['Yes'] }, { messages: [question, answerMessage(answer)] });
    expect(asked.sent.messages[1].tool_calls[0]).toMatchObject({ id: 'a', extra_content });
  });
});
