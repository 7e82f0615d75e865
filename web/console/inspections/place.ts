import type { FlowOfSession } from './use-flow.js';

/** Where an inspection is: sessions belong to flows. `flow` is not known at once. */
export interface Place {
  flowId: string;
  sessionId: string;
  flow: FlowOfSession | undefined;
}

/** One name for a place, for what is kept of it in this browser. */
export const placeName = ({ flowId, sessionId }: Pick<Place, 'flowId' | 'sessionId'>): string =>
  JSON.stringify([flowId, sessionId]);
