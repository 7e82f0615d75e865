import type { FlowDefinition } from '../definition/flow-definition.js';
import { credentialIdsOf } from './credential-references.js';
import type { CredentialSource } from './credential-source.js';

/**
 * The secrets of all credentials that a flow names, for a run whose kept state may hold them, put there by an earlier
 * target. One that is gone or cannot be opened fails the node that needs it, not this reading.
 */
export async function secretsOfFlow(
  definition: FlowDefinition,
  credentials: CredentialSource,
): Promise<string[]> {
  const opened = await Promise.allSettled(credentialIdsOf(definition).map((id) => credentials.headers(id)));
  return opened.flatMap((one) => (one.status === 'fulfilled' ? one.value.secrets : []));
}
