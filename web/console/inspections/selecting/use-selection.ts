import { useCallback, useMemo, useRef, useState } from 'react';
import { allToggled, extended, NOTHING_SELECTED, type Selection, stillThere, toggled } from './selection.js';

/** Holds the selection among the photographs of `order`. */
export function useSelection(order: readonly string[]) {
  const [chosen, setChosen] = useState<Selection>(NOTHING_SELECTED);
  const selection = useMemo(() => stillThere(chosen, order), [chosen, order]);
  const known = useRef(order);
  known.current = order;
  /** Selects or deselects a photograph; `range` selects everything since the last one. */
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
