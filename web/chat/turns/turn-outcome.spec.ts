import type { Problem } from '../../common/answer.js';
import { type ChatState, emptyChat } from './chat-state.js';
import { outcomeOf } from './turn-outcome.js';
import type { Ending } from './turn.js';

const asked: ChatState = {
  ...emptyChat,
  messages: [{ id: 'one', from: 'person', text: 'The hall is dry' }],
  phase: 'waiting',
};
const outcome = (ending: Ending, stopped = false, mayWait = true) =>
  outcomeOf(ending, asked, { chatId: 'c', stopped, mayWait }, (text) => text);
const refused = (problem: Partial<Problem>): Ending => ({
  type: 'refused',
  problem: { status: 400, code: 'invalid_request', sentence: 'No.', paths: [], ...problem },
});
const lost = (began: boolean): Ending => ({ type: 'lost', text: '', began });

describe('the outcome of a turn', () => {
  it('is an answer below its question, whose photographs have arrived', () => {
    const { state, ...rest } = outcome({ type: 'answered', text: 'Noted', followUps: ['Next?'] });
    expect(state.messages.map(({ text }) => text)).toEqual(['The hall is dry', 'Noted']);
    expect(state).toMatchObject({ followUps: ['Next?'], announcement: 'Noted' });
    expect(rest).toEqual({ again: false, photographs: 'answered' });
  });

  it('adds no message for an empty answer', () => {
    const { state } = outcome({ type: 'answered', text: '', followUps: [] });
    expect(state.messages).toBe(asked.messages);
  });

  it('is an answer when it was complete before the stop', () => {
    const { photographs } = outcome({ type: 'answered', text: 'Noted', followUps: [] }, true);
    expect(photographs).toBe('answered');
  });

  it('keeps the photographs of a call that can be retried, and returns those of one that cannot', () => {
    expect(outcome(lost(true))).toMatchObject({ again: true, photographs: 'pending' });
    expect(outcome(refused({ code: 'body_too_large', status: 413 }))).toMatchObject({
      ...{ again: false, photographs: 'returned' },
      state: { trouble: { sentence: 'That is too much to send at once.' } },
    });
    expect(outcome(refused({ paths: ['uploads.0'] }))).toMatchObject({ again: false, photographs: 'lost' });
  });

  it('is no trouble after a stop, unless the service may not have the message', () => {
    const { state, ...rest } = outcome({ type: 'failed', text: '', sentence: 'Stopped.' }, true);
    expect(state.messages.at(-1)).toMatchObject({ from: 'flow', stopped: true });
    expect([state.trouble, rest]).toEqual([undefined, { again: false, photographs: 'returned' }]);
    expect(outcome(lost(true), true).state.trouble).toBeUndefined();
    expect(outcome(lost(false), true)).toMatchObject({
      ...{ again: true, photographs: 'pending' },
      state: { trouble: { sentence: 'You stopped this message. It was not sent.' } },
    });
  });

  it.each([
    ['too many calls', { status: 429, code: 'rate_limited', retryAfterSeconds: 7 }, 7],
    ['a busy service', { status: 503, code: 'overloaded', retryAfterSeconds: 1 }, 1],
    ['a proxy without a service', { status: 503, code: '' }, undefined],
    ['a proxy whose service restarts', { status: 502, code: '' }, undefined],
    ['a proxy whose service does not answer', { status: 504, code: '' }, undefined],
  ])('waits for %s, and is retried under the same key', (_, problem, afterSeconds) => {
    const { again, photographs, state } = outcome(refused(problem));
    expect([again, photographs]).toEqual([true, 'pending']);
    expect(state.trouble).toMatchObject({ waits: 'service', retry: 'same' });
    expect(state.trouble?.afterSeconds).toBe(afterSeconds);
    expect(state.trouble?.reference).toBeUndefined();
  });

  it.each([
    ['after many refusals', { status: 429, code: 'rate_limited', retryAfterSeconds: 7 }, false],
    ['when the wait is long', { status: 429, code: 'address_blocked', retryAfterSeconds: 3_600 }, true],
    ['when no time is named', { status: 429, code: 'rate_limited' }, true],
    ['after any other refusal', { status: 402, code: 'insufficient_credit' }, true],
  ])('is for the person to retry %s', (_, problem, mayWait) => {
    const { state } = outcome(refused(problem), false, mayWait);
    expect(state.trouble?.waits).toBeUndefined();
    expect(state.trouble?.retry).toBe('same');
  });

  it.each([
    ['a share of the service that is used up', { status: 429, code: 'quota_exceeded', retryAfterSeconds: 1 }],
    ['a network that is too slow', { status: 408, code: 'request_timeout' }],
  ])('is worded for the person after %s, not for programs', (_, problem) => {
    const { state } = outcome(refused({ ...problem, sentence: 'Read Retry-After and the body.' }));
    expect(state.trouble?.sentence).toMatch(/^(Too many messages|The connection is too slow)/);
    expect(state.trouble?.advice).toBeDefined();
  });

  it('has a reference to quote only when the service failed', () => {
    const reference = (ending: Ending) => outcome(ending).state.trouble?.reference;
    expect(reference({ type: 'failed', text: '', sentence: 'x' })).toEqual({ chat: 'c' });
    expect(reference(lost(false))).toBeUndefined();
  });
});
