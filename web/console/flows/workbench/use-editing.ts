import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { FlowView } from '../../../../src/api/flows.js';
import { toast } from '../../parts/overlay/toast.js';
import type { Operate } from '../canvas/use-commands.js';
import { FlowDocument } from '../document/flow-document.js';
import { rewrite } from '../document/rewrite.js';
import { drafts, NEW_FLOW } from '../drafts.js';
import type { EditorHandle } from '../editor/json-editor.js';
import { readDefinition } from '../editor/read-definition.js';
import { textOfFlow } from '../flow-text.js';
import { isMembers } from '../operations/definition.js';

/** The last saved text and revision known to this page. */
interface Baseline {
  text: string;
  /** The revision on which the edited text is based. */
  revision: string | undefined;
  /** Others have saved since that revision, and `text` is theirs. */
  isLater?: boolean;
}

export interface Editing {
  text: string;
  baseline: Baseline;
  isDirty: boolean;
  /** The text is an unsaved draft of an earlier visit. */
  restored: boolean;
  /** The browser has no room for the unsaved text, so that a reload or a crash loses it. */
  isNotStored: boolean;
  editor: RefObject<EditorHandle | null>;
  /** The text with the history of all its editors. */
  document: FlowDocument;
  /** Changes the definition by one undoable step. Does nothing while the text is not valid JSON. */
  operate: Operate;
  /** Replaces the text; this can be undone. */
  write: (text: string) => void;
  /** Replaces the text by one that was loaded, at which the history begins. */
  load: (text: string) => void;
  /** The last text that this page has saved, until it is shown as the stored one. */
  own: RefObject<{ text: string; revision: string } | undefined>;
  /** Marks this text as saved. */
  settle: (text: string, revision: string) => void;
  revert: () => void;
}

/** Holds the text of a flow while it is edited. The tab stores what is not saved. */
export function useEditing(saved: FlowView | undefined, start = ''): Editing {
  const draftId = saved?.id ?? NEW_FLOW;
  const [begin] = useState(() => beginning(saved, start, draftId));
  const [document] = useState(() => new FlowDocument(begin.text));
  const text = useSyncExternalStore(document.subscribe, () => document.text);
  const [baseline, setBaseline] = useState<Baseline>(begin.baseline);
  const [restored, setRestored] = useState(begin.restored);
  const [isNotStored, setNotStored] = useState(false);
  const editor = useRef<EditorHandle>(null);
  const own = useRef<{ text: string; revision: string }>(undefined);
  const isDirty = text !== baseline.text;
  useEffect(() => {
    const { revision } = baseline;
    const draft = isDirty ? { text, ...(revision === undefined ? {} : { revision }) } : undefined;
    setNotStored(!drafts.set(draftId, draft) && isDirty);
  }, [draftId, isDirty, text, baseline]);
  return {
    text,
    baseline,
    isDirty,
    restored: restored && isDirty,
    isNotStored,
    editor,
    document,
    operate: operateOn(document),
    own,
    write: (next) => document.replace(next),
    load: (next) => document.load(next),
    settle(next, revision) {
      setBaseline({ text: next, revision });
      setRestored(false);
    },
    revert: () => document.replace(baseline.text),
  };
}

/** Returns the function that changes the value of a document. */
export const operateOn =
  (document: FlowDocument): Operate =>
  (operation, group) => {
    const reading = readDefinition(document.text);
    if (!('value' in reading) || !isMembers(reading.value)) {
      toast('The text is not valid JSON. Repair it first.');
      return false;
    }
    document.edit(rewrite(document.text, reading.value, operation(reading.value)), { group });
    return true;
  };

function beginning(saved: FlowView | undefined, start: string, draftId: string) {
  const text = saved ? textOfFlow(saved) : start;
  const draft = drafts.get(draftId);
  const baseline: Baseline = { text, revision: saved?.revision };
  if (!draft || draft.text === text) return { text, baseline, restored: false };
  const revision = saved && (draft.revision ?? saved.revision);
  const isLater = revision !== saved?.revision;
  return { text: draft.text, baseline: { text, revision, isLater }, restored: true };
}
