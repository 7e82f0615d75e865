import type { CredentialSource } from '../models/credential-source.js';
import type { FlowDefinition } from '../definition/flow-definition.js';
import { credentialIdsOf } from './credential-references.js';

/**
 * The secrets of all credentials that a flow names: for a run that begins with what earlier ones kept, in which a target
 * may have put them. One that is gone or cannot be opened fails the node that needs it, not here.
 */
export async function secretsOfFlow(
  definition: FlowDefinition,
  credentials: CredentialSource,
): Promise<string[]> {
  const opened = await Promise.allSettled(credentialIdsOf(definition).map((id) => credentials.headers(id)));
  return opened.flatMap((one) => (one.status === 'fulfilled' ? one.value.secrets : []));
}
