import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Flow } from '../../api/types/flows.js';
import { drafts } from '../drafts.js';
import type { EditorHandle } from '../editor/json-editor.js';
import { textOfFlow } from '../flow-text.js';

/** The id under which a flow is drafted that has none yet. */
export const NEW = ':new';

/** The text and revision that were saved last, as far as this page knows. */
interface Baseline {
  text: string;
  revision: string | undefined;
}

export interface Editing {
  text: string;
  baseline: Baseline;
  isDirty: boolean;
  /** The text was here before: it is not what is saved. */
  restored: boolean;
  editor: RefObject<EditorHandle | null>;
  setText: (text: string) => void;
  /** Puts a text into the editor; it can be undone there. */
  write: (text: string) => void;
  /** From now on this text counts as saved. */
  settle: (text: string, revision: string) => void;
  revert: () => void;
}

/** The text of a flow while it is edited: what is not saved is kept by the tab. */
export function useEditing(saved: Flow | undefined, start = ''): Editing {
  const draftId = saved?.id ?? NEW;
  const [begin] = useState(() => beginning(saved, start, draftId));
  const [text, setText] = useState(begin.text);
  const [baseline, setBaseline] = useState<Baseline>(begin.baseline);
  const [restored, setRestored] = useState(begin.restored);
  const editor = useRef<EditorHandle>(null);
  const isDirty = text !== baseline.text;
  useEffect(() => {
    const { revision } = baseline;
    drafts.set(draftId, isDirty ? { text, ...(revision === undefined ? {} : { revision }) } : undefined);
  }, [draftId, isDirty, text, baseline]);
  const write = (next: string) => {
    setText(next);
    editor.current?.replace(next);
  };
  return {
    text,
    baseline,
    isDirty,
    restored: restored && isDirty,
    editor,
    setText,
    write,
    settle(next, revision) {
      setBaseline({ text: next, revision });
      setRestored(false);
    },
    revert: () => write(baseline.text),
  };
}

function beginning(saved: Flow | undefined, start: string, draftId: string) {
  const text = saved ? textOfFlow(saved) : start;
  const draft = drafts.get(draftId);
  const baseline: Baseline = { text, revision: saved?.revision };
  if (!draft || draft.text === text) return { text, baseline, restored: false };
  const revision = saved && (draft.revision ?? saved.revision);
  return { text: draft.text, baseline: { text, revision }, restored: true };
}
