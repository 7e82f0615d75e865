import type { Problem } from '../../common/answer.js';
import { type ChatState, emptyChat } from './chat-state.js';
import { outcomeOf } from './turn-outcome.js';
import type { Ending } from './turn.js';

const asked: ChatState = {
  ...emptyChat,
  messages: [{ id: 'one', from: 'person', text: 'The hall is dry' }],
  phase: 'waiting',
};
const outcome = (ending: Ending, stopped = false) =>
  outcomeOf(ending, asked, { chatId: 'c', stopped }, (text) => text);
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

  it('has a reference to quote only when the service failed', () => {
    const reference = (ending: Ending) => outcome(ending).state.trouble?.reference;
    expect(reference({ type: 'failed', text: '', sentence: 'x' })).toEqual({ chat: 'c' });
    expect(reference(lost(false))).toBeUndefined();
  });
});
