import { useCallback, useState } from 'react';
import { Kept } from '../../../common/kept.js';
import { type Place, placeName } from '../place.js';
import { type Draft, draftIn } from './draft.js';

const kept = new Kept(() => sessionStorage, 'console:report:');

/** What was filled in for an inspection's report: still there after the page was left, or loaded anew. */
export function useDraft(place: Place): [Draft, (change: Partial<Draft>) => void] {
  const name = placeName(place);
  const [draft, setDraft] = useState(() => draftIn(kept.get<unknown>(name)));
  const change = useCallback(
    (part: Partial<Draft>) =>
      setDraft((before) => {
        const after = { ...before, ...part };
        kept.set(name, after);
        return after;
      }),
    [name],
  );
  return [draft, change];
}
