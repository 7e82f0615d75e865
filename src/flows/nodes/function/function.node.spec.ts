import { endedRuns, failureOf, resultOf, tokensOf } from '../../../../test/fixtures/flows/flow-runs.js';
import { runNodes } from '../../../../test/fixtures/flows/run-nodes.js';
import type { Json } from '../../engine/json.js';

const runCode = (code: string, inputs: Record<string, Json> = {}, more: object = {}) =>
  runNodes([{ kind: 'function', config: { code, inputs, ...more } }], {
    vars: new Map<string, Json>([['rate', 1.2]]),
    state: { n: [1] },
    chatId: 'chat-1',
  });

describe('function', () => {
  it('sees its inputs with their types, the variables and the run; its value is the output', async () => {
    const code =
      'return { price: $amount * $vars.rate, q: $q, chat: $flow.chatId, n: $flow.state.n, own: $list[0] }';
    const events = await runCode(code, { amount: 10, q: '{{question}}', list: ['{{question}}'] });
    const output = { price: 12, q: 'How are you?', chat: 'chat-1', n: [1], own: 'How are you?' };
    expect(endedRuns(events, 'n0')[0]).toMatchObject({
      output,
      input: { inputs: { amount: 10, q: 'How are you?' } },
    });
    expect(JSON.parse(resultOf(events).text)).toEqual(output);
  });

  it('fails where it returns more values than a node may have', async () => {
    expect(failureOf(await runCode("return 'a '.repeat(120_000).split(' ')"))).toMatch(
      /too wide.*100000 values/,
    );
  });

  it('says a text as it is, where it is the answer', async () => {
    const events = await runCode('return "Hello " + $input');
    expect([resultOf(events).text, tokensOf(events).join('')]).toEqual([
      'Hello How are you?',
      'Hello How are you?',
    ]);
  });

  it('is never put together from what somebody said', async () => {
    expect(resultOf(await runCode('return "{{question}}"')).text).toBe('{{question}}');
  });

  it('keeps its variables from an input of the same name', async () => {
    expect(resultOf(await runCode('return [$vars.rate, $flow.chatId]', { vars: 'x', flow: 'y' })).text).toBe(
      '[1.2,"chat-1"]',
    );
  });

  it('fails its node with the sentence of the sandbox, and no run with it', async () => {
    expect(failureOf(await runCode('return gone'))).toMatch(
      /^The function failed: ReferenceError: .*gone.* \(line 1\)$/,
    );
    expect(failureOf(await runCode('for (;;);', {}, { timeoutMs: 50 }))).toContain('more than 50 ms');
  });

  it('takes no value that is nested deeper than any body', async () => {
    expect(failureOf(await runCode('let a = 1; for (let i = 0; i < 70; i++) a = [a]; return a'))).toContain(
      'nested too deep',
    );
  });
});
