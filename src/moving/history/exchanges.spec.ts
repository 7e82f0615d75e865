import { isExecutionId } from '../../executions/execution-id.js';
import { type Exchange, Exchanges } from './exchanges.js';
import type { ForeignMessage } from './foreign-message.js';

const AT = Date.parse('2026-01-02T03:04:05Z');

let count = 0;
const said = (content: string, more: Partial<ForeignMessage> = {}): ForeignMessage => ({
  id: `message ${++count}`,
  ...{ flowId: 'flow', chatId: 'chat', content, at: AT, executionId: 'run', uploads: [], lost: [] },
  role: content.endsWith('?') ? 'user' : 'assistant',
  sessionChatId: undefined,
  ...more,
});

function exchangesOf(...messages: ForeignMessage[]): Exchange[] {
  const exchanges = new Exchanges();
  return [...messages.flatMap((message) => exchanges.add(message)), ...exchanges.end()];
}

const wordsOf = (exchanges: readonly Exchange[]) =>
  exchanges.map(({ question, answer }) => [question?.content, answer?.content]);

describe('exchanges made of messages', () => {
  it('are a question and the answer after it, of one execution, or of none', () => {
    const none = { executionId: '' };
    const four = [said('a?'), said('A'), said('b?'), said('B'), said('c?', none), said('C', none)];
    expect(wordsOf(exchangesOf(...four))).toEqual([
      ['a?', 'A'],
      ['b?', 'B'],
      ['c?', 'C'],
    ]);
  });

  it('leave every message in its place where runs went on at once', () => {
    const [one, two] = [{ executionId: 'one' }, { executionId: 'two' }];
    const messages = [said('a?', one), said('b?', two), said('A', one), said('B', two)];
    expect(wordsOf(exchangesOf(...messages))).toEqual([
      ['a?', undefined],
      ['b?', undefined],
      [undefined, 'A'],
      [undefined, 'B'],
    ]);
  });

  it('may lack a question, or an answer, and end with their chat', () => {
    expect(wordsOf(exchangesOf(said('A'), said('b?'), said('C', { chatId: 'other' })))).toEqual([
      [undefined, 'A'],
      ['b?', undefined],
      [undefined, 'C'],
    ]);
  });

  it('have ids that rise in their order, also within one instant and where a time falls or is none', () => {
    const times = [AT, AT, AT, undefined, AT - 5_000, AT + 1, AT + 1, undefined];
    const exchanges = exchangesOf(...times.map((at, index) => said(`${index}?`, { at })));
    const ids = exchanges.map(({ id }) => id);
    expect([...ids].sort()).toEqual(ids);
    expect(ids.every(isExecutionId)).toBe(true);
    expect(exchanges.map(({ question }) => question!.at - AT)).toEqual([0, 0, 0, 0, 0, 1, 1, 1]);
  });

  it('have the same ids each time, also when the last question was answered meanwhile', () => {
    const [first, second, third] = [said('a?'), said('b?'), said('B')];
    const before = exchangesOf(first, second).map(({ id }) => id);
    expect(exchangesOf(first, second, third).map(({ id }) => id)).toEqual(before);
  });
});
