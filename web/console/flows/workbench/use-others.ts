import { useEffect } from 'react';
import type { FlowView } from '../../../../src/api/flows.js';
import { toast } from '../../parts/overlay/toast.js';
import { textOfFlow } from '../flow-text.js';
import type { Editing } from './use-editing.js';

/** Follows what others save. Their text replaces this one unless it has unsaved changes; then `isBehind` is true. */
export function useOthers(
  flow: FlowView | undefined,
  editing: Editing,
): { isBehind: boolean; take: (theirs: FlowView) => void } {
  const { isDirty, baseline } = editing;
  const differs =
    flow !== undefined && baseline.revision !== undefined && flow.revision !== baseline.revision;
  // A setting was changed, or this draft was published: the text is that of the last save.
  const isSameText = differs && !baseline.isLater && textOfFlow(flow) === baseline.text;
  const take = (theirs: FlowView) => {
    const text = textOfFlow(theirs);
    editing.load(text);
    editing.settle(text, theirs.revision);
  };
  useEffect(() => {
    const own = editing.own.current;
    if (differs && own?.revision === flow.revision) return editing.settle(own.text, own.revision);
    if (isSameText) return editing.settle(baseline.text, flow.revision);
    if (!differs || isDirty) return;
    take(flow);
    toast(
      flow.draft
        ? 'Someone else saved this flow. This is their text.'
        : `This is the text of version ${flow.version}, which is published.`,
    );
    // Only these matter; `take` changes with each render.
  }, [differs, isSameText, isDirty, flow]);
  return { isBehind: differs && !isSameText && isDirty, take };
}
