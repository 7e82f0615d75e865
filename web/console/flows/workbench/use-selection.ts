import { useMemo, useState } from 'react';

/** The selection of the canvas, for its other panes too. */
export interface Selection {
  ids: readonly string[];
  select: (ids: readonly string[]) => void;
  /** Selects an item and scrolls to it. */
  show: (id: string) => void;
  revealed: { id: string } | undefined;
}

export function useSelection(first: string | undefined): Selection {
  const [ids, select] = useState<readonly string[]>(() => (first === undefined ? [] : [first]));
  const [revealed, setRevealed] = useState<{ id: string } | undefined>(() =>
    first === undefined ? undefined : { id: first },
  );
  return useMemo(
    () => ({
      ids,
      select,
      revealed,
      show: (id) => {
        select([id]);
        setRevealed({ id });
      },
    }),
    [ids, revealed],
  );
}
