import { idOf, type Members, nodesIn, notesIn, textOf } from '../operations/definition.js';

const MOST = 100;

interface Hit {
  id: string;
  title: string;
  words: string;
}
/** Finds words in the ids, labels, kinds and configs of nodes, and in notes. */
export function found(definition: Members, search: string): Hit[] {
  const wanted = search.toLowerCase().trim();
  if (wanted === '') return [];
  const nodes = nodesIn(definition).flatMap((node): Hit[] => {
    const text = JSON.stringify(node);
    if (idOf(node) === '' || !text.toLowerCase().includes(wanted)) return [];
    const label = textOf(node, 'label');
    const at = text.toLowerCase().indexOf(wanted);
    const words = text.slice(Math.max(0, at - 20), at + wanted.length + 30);
    return [{ id: idOf(node), title: label === '' ? idOf(node) : label, words }];
  });
  const notes = notesIn(definition).flatMap((note, index): Hit[] => {
    const text = textOf(note, 'text');
    return text.toLowerCase().includes(wanted) ? [{ id: `note:${index}`, title: 'Note', words: text }] : [];
  });
  return [...nodes, ...notes].slice(0, MOST);
}
