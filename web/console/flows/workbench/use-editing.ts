import { type RefObject, useEffect, useRef, useState } from 'react';
import type { FlowView } from '../../../../src/api/flows.js';
import { drafts } from '../drafts.js';
import type { EditorHandle } from '../editor/json-editor.js';
import { textOfFlow } from '../flow-text.js';

/** The draft id of a flow that is not created yet. */
export const NEW = ':new';

/** The last saved text and revision known to this page. */
interface Baseline {
  text: string;
  revision: string | undefined;
}

export interface Editing {
  text: string;
  baseline: Baseline;
  isDirty: boolean;
  /** The text is an unsaved draft of an earlier visit. */
  restored: boolean;
  editor: RefObject<EditorHandle | null>;
  setText: (text: string) => void;
  /** Replaces the editor's text; this can be undone. */
  write: (text: string) => void;
  /** Marks this text as saved. */
  settle: (text: string, revision: string) => void;
  revert: () => void;
}

/** Holds the text of a flow while it is edited. The tab stores what is not saved. */
export function useEditing(saved: FlowView | undefined, start = ''): Editing {
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

function beginning(saved: FlowView | undefined, start: string, draftId: string) {
  const text = saved ? textOfFlow(saved) : start;
  const draft = drafts.get(draftId);
  const baseline: Baseline = { text, revision: saved?.revision };
  if (!draft || draft.text === text) return { text, baseline, restored: false };
  const revision = saved && (draft.revision ?? saved.revision);
  return { text: draft.text, baseline: { text, revision }, restored: true };
}
