import { useSyncExternalStore } from 'react';
import { queryClient } from '../../api/query-client.js';
import { type Place, placeName } from '../place.js';
import { CorrectionRun, type RunState } from './correction-run.js';

const runs = new Map<string, CorrectionRun>();

function runOf(place: Pick<Place, 'flowId' | 'sessionId'>): CorrectionRun {
  const name = placeName(place);
  const known = runs.get(name);
  if (known) return known;
  const queryKey = ['inspection', 'session', place.sessionId];
  const made = new CorrectionRun(() => queryClient.refetchQueries({ queryKey }));
  runs.set(name, made);
  return made;
}

globalThis.addEventListener?.('beforeunload', (event) => {
  if ([...runs.values()].some(({ isBusy }) => isBusy)) event.preventDefault();
});

/** The corrections of an inspection, which go on whatever page is shown; and what of it is on its way. */
export function useCorrections(
  place: Pick<Place, 'flowId' | 'sessionId'>,
): [CorrectionRun, RunState['busy']] {
  const run = runOf(place);
  // Not the whole state: its progress would render a page of hundreds of photographs at every step.
  return [run, useSyncExternalStore(run.subscribe, () => run.snapshot().busy)];
}

/** How they stand. */
export const useRunState = (run: CorrectionRun): RunState =>
  useSyncExternalStore(run.subscribe, run.snapshot);
