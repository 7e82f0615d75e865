import type { AccessRules, FlowView } from '../../../../src/api/flows.js';
import { ApiError } from '../../api/api-error.js';
import { call, get, segment } from '../../api/client.js';
import { mergeAccess } from './access-edit.js';

/** Thrown when somebody else has changed the same members differently. Nothing was saved. */
export class AccessConflict extends Error {
  override readonly name = 'AccessConflict';

  constructor(
    readonly members: readonly (keyof AccessRules)[],
    /** The rules that they have saved. */
    readonly theirs: AccessRules,
  ) {
    super('Someone else has changed this.');
  }
}

const TRIES = 5;

/**
 * Changes only the access rules of the flow's current definition, so that other concurrent changes survive. Throws
 * `AccessConflict` when somebody else has changed the same rules.
 */
export async function saveAccess(flowId: string, base: AccessRules, mine: AccessRules): Promise<FlowView> {
  const path = `flows/${segment(flowId)}`;
  for (let tried = 1; ; tried++) {
    const flow = await get<FlowView>(path);
    const { access, conflicts } = mergeAccess(base, mine, flow.access);
    if (conflicts.length > 0) throw new AccessConflict(conflicts, flow.access);
    try {
      const headers = { 'If-Match': `"${flow.revision}"` };
      return await call<FlowView>('PUT', path, { body: { ...flow, access }, headers });
    } catch (error) {
      const changed = error instanceof ApiError && error.code === 'flow_changed';
      if (!changed || tried === TRIES) throw error;
    }
  }
}
