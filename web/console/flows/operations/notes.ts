import {
  isMembers,
  type Members,
  type Point,
  withItems,
  withMember,
  withMore,
  withoutItems,
} from './definition.js';
import { withPosition } from './edit-nodes.js';

export const addNote = (definition: Members, text: string, { x, y }: Point): Members =>
  withMore(definition, 'notes', [{ text, position: { x: Math.round(x), y: Math.round(y) } }]);

export const moveNote = (definition: Members, index: number, to: Point): Members =>
  changeNote(definition, index, (note) => withPosition(note, to));

export const setNote = (definition: Members, index: number, text: string): Members =>
  changeNote(definition, index, (note) => withMember(note, 'text', text));

export const removeNotes = (definition: Members, indexes: ReadonlySet<number>): Members =>
  withoutItems(definition, 'notes', (_, index) => indexes.has(index));

const changeNote = (definition: Members, index: number, change: (note: Members) => Members): Members =>
  withItems(definition, 'notes', (note, at) => (at === index && isMembers(note) ? change(note) : note));
