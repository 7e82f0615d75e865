import { useSyncExternalStore } from 'react';
import type { AcceptedRenderView, RenderAnswerView } from '../../../../src/api/reports.js';
import { BrowserStorage } from '../../../common/browser-storage.js';
import { postToFlow } from '../flow-call.js';
import { type Place, placeName } from '../place.js';
import { RenderRun, type RenderState } from './render-run.js';
import { watchRender } from './watch-render.js';

const storage = new BrowserStorage(() => sessionStorage, 'console:render:');
const runs = new Map<string, RenderRun>();

function runOf(place: Place): RenderRun {
  const name = placeName(place);
  const known = runs.get(name);
  if (known) return known;
  const { flowId } = place;
  const ask = async (body: object, key: string) => {
    const headers = { Prefer: 'respond-async', 'Idempotency-Key': key };
    const response = await postToFlow(flowId, 'pdf/render', { body, headers });
    return (await response.json()) as AcceptedRenderView | RenderAnswerView;
  };
  const memory = {
    get: () => storage.get<string>(name),
    set: (id: string | undefined) => storage.set(name, id),
  };
  const made = new RenderRun({ ask, watch: watchRender }, memory);
  runs.set(name, made);
  return made;
}

/** Returns the state of an inspection's render, which outlives its page, and a function that starts one. */
export function useRender(place: Place): [RenderState, (body: object) => void] {
  const run = runOf(place);
  const state = useSyncExternalStore(run.subscribe, run.snapshot);
  return [state, (body) => void run.start(body)];
}
