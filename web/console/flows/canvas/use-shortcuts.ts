import type { ClipboardEvent, Dispatch, KeyboardEvent, SetStateAction } from 'react';
import type { CanvasItem } from './canvas-elements.js';
import type { FlowCanvasProps, OpenTool } from './canvas-props.js';
import type { Commands } from './use-commands.js';

interface Shortcuts {
  onKeyDown: (event: KeyboardEvent) => void;
  onCopy: (event: ClipboardEvent) => void;
  onCut: (event: ClipboardEvent) => void;
  onPaste: (event: ClipboardEvent) => void;
}

export function useShortcuts({
  isEditable,
  commands,
  items,
  setTool,
  document,
  selection,
  onSelect,
  onEdit,
  onSave,
}: FlowCanvasProps & {
  isEditable: boolean;
  commands: Commands;
  items: readonly CanvasItem[];
  setTool: Dispatch<SetStateAction<OpenTool | undefined>>;
}): Shortcuts {
  const always: Record<string, () => void> = {
    'mod+a': () => onSelect(items.map(({ id }) => id)),
    'mod+f': () => setTool({ name: 'find' }),
    'mod+s': onSave,
    'mod+z': () => document.undo(),
    'mod+shift+z': () => document.redo(),
    'mod+y': () => document.redo(),
    enter: onEdit,
    escape: () => {
      setTool(undefined);
      onSelect([]);
    },
  };
  const editing: Record<string, () => void> = {
    'mod+d': () => commands.duplicate(),
    a: () => setTool({ name: 'add' }),
    l: () => commands.arrange(),
    n: () => commands.note(),
  };
  return {
    onKeyDown(event) {
      if (isTyping(event.target)) return;
      // The item in focus is meant, even if another one is selected.
      const focused = (event.target as HTMLElement).closest<HTMLElement>(
        '.react-flow__node, .react-flow__edge',
      );
      const id = focused?.dataset['id'];
      const isOther = id !== undefined && !selection.includes(id);
      const remove = () => commands.remove(isOther ? [id] : selection);
      const connect = () => {
        if (isOther) onSelect([id]);
        if (isOther || selection.length === 1) setTool({ name: 'connect' });
      };
      const here: Record<string, () => void> = { delete: remove, backspace: remove, c: connect };
      const mod = event.ctrlKey || event.metaKey;
      const name = `${mod ? 'mod+' : ''}${event.shiftKey && mod ? 'shift+' : ''}${event.key.toLowerCase()}`;
      if (name === 'enter' && (event.target as Element).closest('button')) return;
      const run = always[name] ?? (isEditable ? (here[name] ?? editing[name]) : undefined);
      if (!run || event.altKey) return;
      // The key that selects a node by React Flow.
      if (name !== 'enter') event.preventDefault();
      run();
    },
    onCopy(event) {
      if (isTyping(event.target)) return;
      const text = commands.copy();
      if (text === undefined) return;
      event.clipboardData.setData('text/plain', text);
      event.preventDefault();
    },
    onCut(event) {
      if (isTyping(event.target) || !isEditable) return;
      const text = commands.cut();
      if (text === undefined) return;
      event.clipboardData.setData('text/plain', text);
      event.preventDefault();
    },
    onPaste(event) {
      if (isTyping(event.target) || !isEditable) return;
      event.preventDefault();
      commands.paste(event.clipboardData.getData('text/plain'));
    },
  };
}

const isTyping = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('input, textarea, [contenteditable], [role="dialog"]') !== null;
