import type { FlowView } from '../../../src/api/flows.js';
import { get, segment } from '../api/client.js';
import { lateScripts } from '../api/late-script.js';
import { queryClient } from '../api/query-client.js';
import { adoptDraft } from './drafts.js';

/** Screens that are too narrow for two panes side by side; they show a picture of the flow instead of the canvas. */
export const narrowScreen = globalThis.matchMedia?.('(width <= 760px)');

/** The query of one flow. */
export const flowQuery = (id: string) => ({
  queryKey: ['flows', id],
  queryFn: ({ signal }: { signal: AbortSignal }) => get<FlowView>(`flows/${segment(id)}`, { signal }),
});

export const loadCanvas = () => import('./canvas/flow-canvas.js');

const showsCanvas = () => narrowScreen?.matches !== true;

/**
 * Requests a flow and the script of the canvas while the script of the page is still on its way. Resolves once an unsaved
 * text of the flow is known.
 */
export function prepareFlow(id: string): Promise<void> {
  void queryClient.prefetchQuery(flowQuery(id));
  if (showsCanvas()) void lateScripts.arrived(loadCanvas).catch(() => undefined);
  return adoptDraft(id);
}

/** Requests the script of the canvas before a flow is chosen. If it does not arrive, the flow's page requests it again. */
export function expectFlow(): void {
  if (showsCanvas()) lateScripts.expect(loadCanvas);
}
