import { useSyncExternalStore } from 'react';
import { queryClient } from '../../api/query-client.js';
import { warnBeforeUnload } from '../../api/warn-before-unload.js';
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

warnBeforeUnload(() => [...runs.values()].some(({ isBusy }) => isBusy));

/** Returns the correction run of an inspection, which outlives its page, and the ids of records being corrected. */
export function useCorrections(
  place: Pick<Place, 'flowId' | 'sessionId'>,
): [CorrectionRun, RunState['busy']] {
  const run = runOf(place);
  // Only part of the state, since its progress would re-render hundreds of photographs at every step.
  return [run, useSyncExternalStore(run.subscribe, () => run.snapshot().busy)];
}

/** Returns the state of the run. */
export const useRunState = (run: CorrectionRun): RunState =>
  useSyncExternalStore(run.subscribe, run.snapshot);
