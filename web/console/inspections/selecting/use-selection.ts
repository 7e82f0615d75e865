import { useCallback, useMemo, useRef, useState } from 'react';
import { allToggled, extended, NOTHING_SELECTED, type Selection, stillThere, toggled } from './selection.js';

/** The chosen ones among those that can be chosen, in the order in which they are shown. */
export function useSelection(order: readonly string[]) {
  const [chosen, setChosen] = useState<Selection>(NOTHING_SELECTED);
  const selection = useMemo(() => stillThere(chosen, order), [chosen, order]);
  const known = useRef(order);
  known.current = order;
  /** Adds a few more or takes them out; `range` chooses everything since the one before. */
  const select = useCallback(
    (id: string, range: boolean) =>
      setChosen((before) => (range ? extended(before, id, known.current) : toggled(before, id))),
    [],
  );
  const selectAll = useCallback(
    (ids: readonly string[]) => setChosen((before) => allToggled(before, ids)),
    [],
  );
  const clear = useCallback(() => setChosen(NOTHING_SELECTED), []);
  return { ids: selection.ids, select, selectAll, clear };
}
