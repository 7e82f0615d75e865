import type { FlowDefinition } from '../definition/flow-definition.js';
import { credentialIdsOf } from './credential-references.js';
import type { CredentialSource } from './credential-source.js';

/**
 * Returns the secrets of all credentials that a flow names. A chat's stored state may contain them in the answer of an
 * earlier target. Skips a credential that is missing or cannot be decrypted: the node that needs it fails.
 */
export async function secretsOfFlow(
  definition: FlowDefinition,
  credentials: CredentialSource,
): Promise<string[]> {
  const opened = await Promise.allSettled(credentialIdsOf(definition).map((id) => credentials.headers(id)));
  return opened.flatMap((one) => (one.status === 'fulfilled' ? one.value.secrets : []));
}
