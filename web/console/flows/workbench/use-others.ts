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
  const take = (theirs: FlowView) => {
    const text = textOfFlow(theirs);
    editing.write(text);
    editing.settle(text, theirs.revision);
  };
  useEffect(() => {
    if (!differs || isDirty) return;
    take(flow);
    toast('Someone else saved this flow. This is their text.');
    // Only these matter; `take` changes with each render.
  }, [differs, isDirty, flow]);
  return { isBehind: differs && isDirty, take };
}
