import { readMessage } from './foreign-message.js';
import { movedId } from './moved-ids.js';

const ROW = {
  id: 'da86fd19-9e94-49bf-91ba-9b3c0a6c510f',
  role: 'userMessage',
  chatflowid: 'flow',
  chatId: '+60123456789',
  sessionId: '+60123456789',
  content: 'name: Größe\nwhat: 車 🚗',
  createdDate: '2026-11-22 04:50:02.637',
};
const read = (more: object) => readMessage({ ...ROW, ...more });

describe('a message of the other side', () => {
  it('is read with its time in UTC, with milliseconds or without', () => {
    const message = { chatId: '+60123456789', role: 'user', content: ROW.content, executionId: '', lost: [] };
    expect(read({})).toMatchObject({ ...message, at: Date.parse('2026-11-22T04:50:02.637Z') });
    expect(read({ createdDate: '2026-11-22 04:50:02' })).toMatchObject({
      at: Date.parse('2026-11-22T04:50:02Z'),
    });
    expect(read({ createdDate: 'yesterday' })).toMatchObject({ at: undefined });
  });

  it.each([
    [{ role: 'system' }, /role/],
    [{ role: null }, /role/],
    [{ id: '' }, /no id/],
    [{ chatflowid: null }, /no flow/],
    [{ chatId: '' }, /chat id/],
    [{ chatId: 'x'.repeat(257) }, /chat id/],
    [{ chatId: 'a\nb' }, /chat id/],
    [{ chatId: 'a\0b' }, /chat id/],
  ])('cannot come as %j', (more, why) => {
    expect(read(more)).toEqual({ why: expect.stringMatching(why) });
  });

  it('keeps of its uploads what can be shown, whatever stands in their list', () => {
    const uploads = (fileUploads: unknown) => read({ fileUploads });
    const photograph = { type: 'stored-file', name: 'front.png', mime: 'image/png' };
    expect(uploads(JSON.stringify([{ ...photograph, size: 3, data: 'data:' }]))).toMatchObject({
      uploads: [photograph],
      lost: [],
    });
    for (const nothing of [null, '', '[]', 'null'])
      expect(uploads(nothing)).toMatchObject({ uploads: [], lost: [] });
    for (const broken of ['{', '"text"', '{"name":"x"}', '[1]', '[{"name":7}]'])
      expect(uploads(broken)).toMatchObject({ uploads: [], lost: ['uploads'] });
    expect(uploads(JSON.stringify([photograph, null]))).toMatchObject({
      uploads: [photograph],
      lost: ['uploads'],
    });
  });

  it('tells whether something of it is shown nowhere here', () => {
    for (const usedTools of ['[]', '{}', 'null', '', null])
      expect(read({ usedTools })).toMatchObject({ lost: [] });
    expect(read({ usedTools: '[{"tool":"x"}]' })).toMatchObject({ lost: ['extras'] });
  });

  it('belongs to the chat of its session too where its caller had no chat of its own', () => {
    const random = '0b0c2d1e-6a3b-4c5d-8e7f-0123456789ab';
    expect(read({ chatId: random, sessionId: 'guest-7' })).toMatchObject({ sessionChatId: 'guest-7' });
    for (const other of [{ sessionId: 'guest-7' }, { chatId: random, sessionId: random }, { chatId: random }])
      expect(read({ sessionId: null, ...other })).toMatchObject({ sessionChatId: undefined });
  });

  it('has its own id where that is a UUID, else one that is always the same', () => {
    expect(movedId(ROW.id)).toBe(ROW.id);
    expect(movedId('msg-1')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([movedId('msg-1') === movedId('msg-1'), movedId('msg-1') === movedId('msg-2')]).toEqual([
      true,
      false,
    ]);
  });
});
