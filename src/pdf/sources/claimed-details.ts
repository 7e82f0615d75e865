import type { Claim, ClaimSource } from '../../inspection/claims/claim.js';
import { inspection } from '../templates/inspection/inspection-template.js';
import type { SourceDetails } from '../templates/template.js';

/** An inspection report of what a claim holds, with nothing else to say. */
export const OF_A_CLAIM: SourceDetails = { type: inspection.id };

/**
 * The part of a request that is kept with its claim, for a redraw: all but the meta, which the claim keeps by itself as it is
 * printed. Of an inspection report nothing else is left to say, and a claim without a source is one.
 */
export function keptDetails(details: SourceDetails & { readonly meta?: unknown }): ClaimSource | null {
  if (details.type === inspection.id) return null;
  const { meta: _, ...kept } = details;
  return kept;
}

/** The request of the claim's render. */
export function detailsOf({ source, sessionId, meta }: Claim): SourceDetails {
  const kept = source ?? { type: inspection.id, sessionId };
  return meta === null ? kept : { ...kept, ...{ meta } };
}
