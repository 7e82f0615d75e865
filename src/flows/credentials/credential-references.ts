import type { CredentialKind } from '../../api/credential-terms.js';
import type { Fault } from '../../common/service-error.js';
import type { FlowDefinition } from '../definition/flow-definition.js';
import type { Json } from '../engine/json.js';
import type { Credential } from './credential.entity.js';

interface Reference {
  path: string;
  credentialId: string;
  use: Use;
}

/** The users of a credential. */
type Use = 'a model' | 'an http node' | 'a callback';

const takes: Readonly<Record<Use, readonly CredentialKind[]>> = {
  'a model': ['api-key'],
  'an http node': ['api-key', 'basic', 'header'],
  'a callback': ['webhook'],
};

/** Returns a fault for every `credentialId` of a checked definition that is unknown or of a kind its user cannot use. */
export function credentialFaults(
  definition: FlowDefinition,
  credentials: readonly Pick<Credential, 'id' | 'kind'>[],
): Fault[] {
  const kinds = new Map(credentials.map(({ id, kind }) => [id, kind]));
  return referencesOf(definition).flatMap(({ path, credentialId, use }) => {
    const kind = kinds.get(credentialId);
    if (kind === undefined) return [{ path, message: `there is no credential "${credentialId}"` }];
    if (takes[use].includes(kind)) return [];
    const wanted = takes[use].map((each) => `"${each}"`).join(' or ');
    return [{ path, message: `is of the kind "${kind}"; ${use} needs one of the kind ${wanted}` }];
  });
}

const known = new WeakMap<FlowDefinition, readonly string[]>();

/** Returns the ids of the credentials that a definition names, each once. */
export function credentialIdsOf(definition: FlowDefinition): readonly string[] {
  let ids = known.get(definition);
  if (!ids) {
    ids = [...new Set(referencesOf(definition).map(({ credentialId }) => credentialId))];
    known.set(definition, ids);
  }
  return ids;
}

/** Returns whether a definition names any credential. */
export const namesCredentials = (definition: FlowDefinition): boolean => referencesOf(definition).length > 0;

function referencesOf({ nodes, webhookCredentialId }: FlowDefinition): Reference[] {
  const inNodes = nodes.flatMap(({ config = {} }, index) =>
    within(config, `nodes.${index}.config`, 'an http node'),
  );
  if (webhookCredentialId === undefined) return inNodes;
  return [{ path: 'webhookCredentialId', credentialId: webhookCredentialId, use: 'a callback' }, ...inNodes];
}

/** Finds references in a value. The recursion is bounded by the depth of JSON from outside. */
function within(value: Json, path: string, use: Use): Reference[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'credentialId' && typeof member === 'string'
      ? [{ path: `${path}.${name}`, credentialId: member, use }]
      : within(member, `${path}.${name}`, name === 'model' ? 'a model' : 'an http node'),
  );
}
