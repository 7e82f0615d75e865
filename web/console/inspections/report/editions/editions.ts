import { useSyncExternalStore } from 'react';
import type { AcceptedRenderView, RenderAnswerView } from '../../../../../src/api/reports.js';
import { BrowserStorage } from '../../../../common/browser-storage.js';
import { segment } from '../../../api/client.js';
import { postToFlow } from '../../flow-call.js';
import { RenderRun, type RenderState } from '../render-run.js';
import { watchRender } from '../watch-render.js';

/** A request for an edition: the report's id and the body. */
interface EditionRequest {
  reportId: string;
  body: object;
}

const storage = new BrowserStorage(() => sessionStorage, 'console:edition:');
const runs = new Map<string, RenderRun<EditionRequest>>();

function runOf(flowId: string, firstId: string): RenderRun<EditionRequest> {
  const known = runs.get(firstId);
  if (known) return known;
  const ask = async ({ reportId, body }: EditionRequest, key: string) => {
    const headers = { Prefer: 'respond-async', 'Idempotency-Key': key };
    const response = await postToFlow(flowId, `pdf/reports/${segment(reportId)}/editions`, { body, headers });
    return (await response.json()) as AcceptedRenderView | RenderAnswerView;
  };
  const memory = {
    get: () => storage.get<string>(firstId),
    set: (id: string | undefined) => storage.set(firstId, id),
  };
  const made = new RenderRun({ ask, watch: watchRender }, memory);
  runs.set(firstId, made);
  return made;
}

interface EditionRun {
  state: RenderState;
  ask: (request: EditionRequest) => void;
  /** Clears the outcome, so that the form starts afresh. */
  forget: () => void;
}

/** Returns the run of a new edition. All editions of a report share one run, under the first edition's id. */
export function useEdition(flowId: string, firstId: string): EditionRun {
  const run = runOf(flowId, firstId);
  const state = useSyncExternalStore(run.subscribe, run.snapshot);
  return { state, ask: (request) => void run.start(request), forget: () => run.forget() };
}
