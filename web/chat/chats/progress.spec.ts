import type { Recorded } from '../recorded/recorded.js';
import { type ChatState, emptyChat } from '../turns/chat-state.js';
import { progressOf } from './progress.js';

const state = (more: Partial<ChatState> = {}): ChatState => ({
  ...emptyChat,
  messages: [{ id: 'm', from: 'person', text: '', photographs: [{ id: 'p', name: 'a.jpg' }] }],
  ...more,
});
const recorded = (...photographs: Partial<Recorded>[]) =>
  new Map(
    photographs.map((more, index) => [
      `${index}`,
      { id: `${index}`, area: 'Kitchen', turn: 0, withdrawn: false, ...more },
    ]),
  );
const reportedAt = '2026-01-01T00:00:00.000Z';

describe('the progress of a chat', () => {
  it.each([
    ['nothing but words', state(), 0, recorded(), { state: 'empty', photographs: 0, unsent: 0 }],
    ['photographs on the device', state(), 2, recorded(), { state: 'unfinished', unsent: 2 }],
    ['one in no report', state(), 0, recorded({ reportedAt }, {}), { state: 'unfinished', photographs: 2 }],
    ['all in a report', state(), 0, recorded({ reportedAt }), { state: 'reported', photographs: 1 }],
    [
      'one that was withdrawn',
      state(),
      0,
      recorded({ reportedAt }, { withdrawn: true }),
      { state: 'reported', photographs: 1 },
    ],
    [
      'a message under way',
      state({ phase: 'waiting' }),
      0,
      recorded(),
      { state: 'unfinished', unsent: 1, messages: 1 },
    ],
    [
      'a message that waits for a connection',
      state({ trouble: { sentence: '', retry: 'same' } }),
      0,
      recorded({ reportedAt }),
      { state: 'unfinished', photographs: 1, unsent: 1, messages: 1 },
    ],
  ])('with %s', (_, chat, waiting, photographs, expected) => {
    expect(progressOf(chat, { messages: 0, photographs: waiting }, photographs)).toMatchObject(expected);
  });

  it('with a message that waits on the device, besides the last one, which was answered', () => {
    const progress = progressOf(state(), { messages: 2, photographs: 2 }, recorded({ reportedAt }));
    expect(progress).toMatchObject({ state: 'unfinished', unsent: 2, messages: 2 });
  });
});
