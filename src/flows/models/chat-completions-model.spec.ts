import { ModelTrial, chunk, END, never, question } from '../../../test/fixtures/models/model-trial.js';
import { eventually } from '../../../test/support/eventually.js';
import type { ModelEvent } from './language-model.js';
import { askModel } from './model-answer.js';

describe('a model that speaks the chat protocol', () => {
  const asked = new ModelTrial();

  it('words as they come, and the count of tokens', async () => {
    asked.fake.answers.push({ tokens: ['Good', ' day'] });
    const events: ModelEvent[] = [];
    await asked.open().ask({ messages: [question] }, never, (event) => void events.push(event));
    expect(events).toEqual([
      { type: 'text', text: 'Good' },
      { type: 'text', text: ' day' },
      { type: 'usage', usage: { inputTokens: 7, outputTokens: 2 } },
      { type: 'finish', reason: 'stop' },
    ]);
    expect(asked.sent).toEqual({
      model: 'm',
      messages: [question],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('the same from an answer that comes as a whole', async () => {
    const answer = await asked.ask({ tokens: ['Good', ' day'], thinking: ['hm'], whole: true });
    expect(answer).toEqual({
      text: 'Good day',
      toolCalls: [],
      finishReason: 'stop',
      usage: { inputTokens: 7, outputTokens: 2 },
    });
  });

  it('thoughts apart from the answer, under each of their names', async () => {
    const thoughts: string[] = [];
    const deltas = [
      { reasoning_content: 'a' },
      { reasoning: 'b' },
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'c' }] },
          { type: 'text', text: 'Yes' },
        ],
      },
    ];
    asked.fake.answers.push({ raw: [...deltas.map((delta) => chunk(delta)), END] });
    const listener = { thinking: (text: string) => void thoughts.push(text) };
    const { text } = await askModel(asked.open(), { messages: [question] }, never, listener);
    expect([text, thoughts]).toEqual(['Yes', ['a', 'b', 'c']]);
  });

  it('characters, lines and events however they are cut', async () => {
    const text = `: keep-alive\r\n\r\n${chunk({ content: 'Grüße 🙂' })}event: ping\ndata: {}\n\n${END}`;
    const raw = Array.from(Buffer.from(text), (byte) => Buffer.from([byte]) as unknown as string);
    expect((await asked.ask({ raw })).text).toBe('Grüße 🙂');
  });

  it('a stream that says it is something else, and one without its last blank line', async () => {
    const raw = [chunk({ content: 'Yes' }), chunk({}, 'stop').trimEnd()];
    expect((await asked.ask({ raw, contentType: 'application/json' })).text).toBe('Yes');
  });

  it('a count in every chunk as one of all', async () => {
    const counted = (completion_tokens: number) =>
      `data: ${JSON.stringify({ choices: [], x_groq: { usage: { prompt_tokens: 3, completion_tokens } } })}\n\n`;
    const { usage } = await asked.ask({ raw: [chunk({ content: 'a' }), counted(1), counted(2), END] });
    expect(usage).toEqual({ inputTokens: 3, outputTokens: 2 });
  });

  it('a refusal in the words of the model, streamed and whole', async () => {
    for (const whole of [false, true]) {
      const answer = await asked.ask({ refusal: 'I cannot help with that.', whole });
      expect(answer).toMatchObject({ text: '', refusal: 'I cannot help with that.' });
    }
  });

  it("and lets go of what nobody reads on, with the reader's own error", async () => {
    asked.fake.answers.push({ tokens: ['x'.repeat(16_384)], endless: true });
    const enough = new Error('enough');
    const told: ModelEvent[] = [];
    const answering = asked.open().ask({ messages: [question] }, never, (event) => {
      told.push(event);
      throw enough;
    });
    await expect(answering).rejects.toBe(enough);
    expect(told).toHaveLength(1);
    expect(asked.fake.requests).toHaveLength(1);
    await eventually(() => asked.fake.requests[0]!.aborted);
  });
});
