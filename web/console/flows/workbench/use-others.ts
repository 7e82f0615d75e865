import { useEffect } from 'react';
import type { Flow } from '../../api/types/flows.js';
import { toast } from '../../parts/overlay/toast.js';
import { textOfFlow } from '../flow-text.js';
import type { Editing } from './use-editing.js';

/**
 * Follows what others save: where nothing is unsaved here, their text is shown; where something is, it stays, and the
 * answer says that it is behind.
 */
export function useOthers(
  flow: Flow | undefined,
  editing: Editing,
): { isBehind: boolean; take: (theirs: Flow) => void } {
  const { isDirty, baseline } = editing;
  const differs =
    flow !== undefined && baseline.revision !== undefined && flow.revision !== baseline.revision;
  const take = (theirs: Flow) => {
    const text = textOfFlow(theirs);
    editing.write(text);
    editing.settle(text, theirs.revision);
  };
  useEffect(() => {
    if (!differs || isDirty) return;
    take(flow);
    toast('Someone else saved this flow. This is their text.');
    // Nothing else than these decides; `take` is another with each render.
  }, [differs, isDirty, flow]);
  return { isBehind: differs && isDirty, take };
}
