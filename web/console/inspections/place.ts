import type { FlowOfSession } from './use-flow.js';

/** Identifies an inspection: a session of a flow. `flow` is loaded later. */
export interface Place {
  flowId: string;
  sessionId: string;
  flow: FlowOfSession | undefined;
}

/** Returns a storage key for an inspection. */
export const placeName = ({ flowId, sessionId }: Pick<Place, 'flowId' | 'sessionId'>): string =>
  JSON.stringify([flowId, sessionId]);
