import { FlowDocument } from './flow-document.js';

const typed = (document: FlowDocument, insert: string, group?: string) =>
  document.edit([{ from: document.text.length, to: document.text.length, insert }], { group });

describe('the history of a document', () => {
  it('undoes and redoes steps, and letters of one group together', () => {
    const document = new FlowDocument('a');
    for (const letter of 'bcd') typed(document, letter, 'word');
    typed(document, '!');
    document.undo();
    expect(document.text).toBe('abcd');
    document.undo();
    expect([document.text, document.canUndo]).toEqual(['a', false]);
    document.redo();
    document.redo();
    expect([document.text, document.canRedo]).toEqual(['abcd!', false]);
  });

  it('never goes back past the load', () => {
    const document = new FlowDocument('first');
    typed(document, '!');
    document.load('second');
    document.undo();
    expect([document.text, document.canUndo]).toEqual(['second', false]);
  });

  it('begins a new step after the end of a group, and after an undo', () => {
    const document = new FlowDocument('');
    typed(document, 'a', 'field');
    document.endGroup();
    typed(document, 'b', 'field');
    document.undo();
    expect(document.text).toBe('a');
    typed(document, 'c', 'field');
    expect(document.canRedo).toBe(false);
    document.undo();
    expect(document.text).toBe('a');
  });

  it('tells its editors of every edit, in positions of the text before it', () => {
    const document = new FlowDocument('ab');
    const seen: unknown[] = [];
    document.subscribe((edit) => seen.push(edit));
    document.edit([{ from: 0, to: 1, insert: 'xyz' }], { by: 'text' });
    document.undo();
    document.replace('aab');
    expect(seen).toEqual([
      { changes: [{ from: 0, to: 1, insert: 'xyz' }], by: 'text' },
      { changes: [{ from: 0, to: 3, insert: 'a' }] },
      { changes: [{ from: 1, to: 1, insert: 'a' }], by: undefined },
    ]);
  });
});
