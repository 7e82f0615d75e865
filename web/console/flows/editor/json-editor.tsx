import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import type { FlowDocument } from '../document/flow-document.js';
import type { Knowledge } from './completion.js';
import './json-editor.css';
import { type Editor, openEditor } from './open-editor.js';
import type { PlacedFault } from './read-definition.js';

/** Commands for the editor from its parent component. */
export type EditorHandle = Pick<Editor, 'jumpTo' | 'focus'>;

interface JsonEditorProps {
  label: string;
  document: FlowDocument;
  /** The position at which it opens. */
  startAt?: number;
  faults?: readonly PlacedFault[];
  knowledge?: Knowledge;
  /** Ctrl+S or Cmd+S. */
  onSave?: () => void;
  handle?: Ref<EditorHandle>;
}

const none: readonly PlacedFault[] = [];
const ignorant: Knowledge = { schema: undefined, known: { apiKeys: [], credentials: [] } };

export default function JsonEditor({
  label,
  document,
  startAt,
  faults = none,
  handle,
  ...rest
}: JsonEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>(undefined);
  const current = useRef(rest);
  current.current = rest;
  const begin = useRef({ label, document });
  const opening = useRef(startAt);
  useEffect(() => {
    const opened = openEditor(place.current!, {
      ...begin.current,
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
    focus: () => editor.current?.focus(),
  }));
  return <div ref={place} className="json-editor" />;
}
