import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import type { Knowledge } from './completion.js';
import './json-editor.css';
import { type Editor, openEditor } from './open-editor.js';
import type { PlacedFault } from './read-definition.js';

/** Commands for the editor from its parent component. */
export type EditorHandle = Pick<Editor, 'jumpTo' | 'replace' | 'focus'>;

interface JsonEditorProps {
  label: string;
  /** The initial text. Afterwards the editor owns the text and reports changes through `onChange`. */
  initial: string;
  /** The position at which it opens. */
  startAt?: number;
  readOnly?: boolean;
  faults?: readonly PlacedFault[];
  knowledge?: Knowledge;
  onChange?: (text: string) => void;
  /** Ctrl+S or Cmd+S. */
  onSave?: () => void;
  handle?: Ref<EditorHandle>;
}

const none: readonly PlacedFault[] = [];
const ignorant: Knowledge = { schema: undefined, known: { apiKeys: [], credentials: [] } };

export default function JsonEditor({
  label,
  initial,
  startAt,
  readOnly = false,
  faults = none,
  handle,
  ...rest
}: JsonEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(undefined);
  const current = useRef(rest);
  current.current = rest;
  const begin = useRef({ label, readOnly, text: initial });
  const opening = useRef(startAt);
  useEffect(() => {
    const opened = openEditor(place.current!, {
      ...begin.current,
      onChange: (text) => current.current.onChange?.(text),
      onSave: () => current.current.onSave?.(),
      knowledge: () => current.current.knowledge ?? ignorant,
    });
    editor.current = opened;
    if (opening.current !== undefined) opened.jumpTo(opening.current);
    return () => opened.close();
  }, []);
  useEffect(() => editor.current?.mark(faults), [faults]);
  useImperativeHandle(handle, () => ({
    jumpTo: (from) => editor.current?.jumpTo(from),
    replace: (text) => editor.current?.replace(text),
    focus: () => editor.current?.focus(),
  }));
  return <div ref={place} className="json-editor" />;
}
