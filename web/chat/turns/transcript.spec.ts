import { BrowserStorage } from '../../common/browser-storage.js';
import { Draft } from '../device/draft.js';
import { memory } from '../photographs/tray.fixture.js';
import { type Message, Transcript } from './transcript.js';

const said = (id: string): Message => ({ id, from: 'person', text: `said ${id}` });
const answered = (id: string): Message[] => [
  said(id),
  { id: `${id}.answer`, from: 'flow', text: `re ${id}` },
];
const pendingOf = (id: string, photographs: string[] = []) => ({
  ...{ question: { question: id, chatId: 'c' }, idempotencyKey: id, photographs },
});

describe('the messages of a chat in several tabs', () => {
  let device: Storage;
  const shared = () => new BrowserStorage(() => device, 'chat:');
  const tab = (own = memory()) => new Transcript(shared(), new BrowserStorage(() => own, 'chat:'));
  const idsIn = (messages: readonly Message[]) => messages.map(({ id }) => id);

  beforeEach(() => {
    device = memory();
    tab().save({ messages: answered('first') });
  });

  it("are all stored when two tabs send at once without reading each other's", () => {
    const [one, other] = [tab(), tab()];
    const before = one.load().messages;
    other.load();
    one.save({ messages: [...before, said('one')], pending: pendingOf('one') });
    other.save({ messages: [...before, said('other')], pending: pendingOf('other') });
    one.save({ messages: [...before, ...answered('one')] });
    expect(tab().load()).toMatchObject({ pending: { idempotencyKey: 'other' }, left: [] });
    other.save({ messages: [...before, ...answered('other')] });
    const all = ['first', 'one', 'other'].flatMap((id) => [id, `${id}.answer`]);
    expect(idsIn(tab().load().messages).sort()).toEqual(all);
    expect(idsIn(one.merged([...before, ...answered('one')]).messages).sort()).toEqual(all);
  });

  it('reach a tab once they are answered, and are not overwritten by a tab with less', () => {
    const [one, other] = [tab(), tab()];
    const before = one.load().messages;
    other.save({ messages: [...other.load().messages, said('other')], pending: pendingOf('other') });
    expect(idsIn(one.merged(before).messages)).toEqual(idsIn(before));
    const late = tab();
    const shown = late.load().messages;
    expect(idsIn(shown)).toEqual(['first', 'first.answer', 'other']);
    other.save({ messages: [...before, ...answered('other')] });
    late.save({ messages: [...shown, said('late')], pending: pendingOf('late') });
    expect(idsIn(tab().load().messages)).toEqual([...idsIn(before), 'other', 'other.answer', 'late']);
    expect(idsIn(one.merged(before).messages)).toEqual([...idsIn(before), 'other', 'other.answer']);
  });

  it('are resumed by the tab that sent them, which also lists those another tab left', () => {
    const own = memory();
    const [one, other] = [tab(own), tab()];
    const before = one.load().messages;
    one.save({ messages: [...before, said('one')], pending: pendingOf('one', ['p1']) });
    other.save({ messages: [...before, said('other')], pending: pendingOf('other') });
    const again = tab(own);
    expect(again.load()).toMatchObject({ turn: 'one', left: ['other'] });
    expect(idsIn(again.load().messages)).toEqual([...idsIn(before), 'other', 'one']);
    expect(again.load('other')).toMatchObject({ turn: 'other', left: ['one'] });
    expect([other.awaits('p1'), other.awaits('p2')]).toEqual([true, false]);
  });

  it("leave another tab's approval question unchanged", () => {
    const question = { id: 'd', startNodeId: 'd' } as never;
    const [one, other] = [tab(), tab()];
    const before = one.load().messages;
    other.load();
    one.save({ messages: [...before, ...answered('one')], decision: question });
    other.save({ messages: [...before, ...answered('other')] });
    expect(tab().load().decision).toEqual(question);
  });

  it('are limited to the last hundred turns', () => {
    const many = Array.from({ length: 130 }, (_, index) => answered(`n${index}`)).flat();
    const one = tab();
    one.save({ messages: many.slice(0, 200) });
    one.save({ messages: many });
    expect(shared().names('turn:n')).toHaveLength(100);
    expect(idsIn(tab().load().messages).slice(-2)).toEqual(['n129', 'n129.answer']);
  });
});

describe('unsent text', () => {
  it('stays when another tab sends its own', () => {
    const shared = memory();
    const [ones, others] = [memory(), memory()];
    const draft = (own: Storage) =>
      new Draft(new BrowserStorage(() => shared, ''), new BrowserStorage(() => own, ''));
    const [one, other] = [draft(ones), draft(others)];
    expect([one.read(), other.read()]).toEqual(['', '']);
    one.write('The hall');
    other.write('The bath');
    one.write('');
    expect([draft(ones).read(), draft(others).read(), draft(memory()).read()]).toEqual([
      '',
      'The bath',
      'The bath',
    ]);
    other.write('');
    expect(draft(memory()).read()).toBe('');
  });
});
