import type { Fault } from '../../common/service-error.js';
import type { FlowDefinition } from '../definition/flow-definition.js';
import type { Json } from '../engine/json.js';
import type { Credential } from './credential.js';

interface Reference {
  path: string;
  credentialId: string;
  /** Whether a model is reached with it. */
  ofModel: boolean;
}

/** Every `credentialId` of a checked definition that names nothing, or what its node cannot use. */
export function credentialFaults(
  definition: FlowDefinition,
  credentials: readonly Pick<Credential, 'id' | 'kind'>[],
): Fault[] {
  const kinds = new Map(credentials.map(({ id, kind }) => [id, kind]));
  return referencesOf(definition).flatMap(({ path, credentialId, ofModel }) => {
    const kind = kinds.get(credentialId);
    if (kind === undefined) return [{ path, message: `there is no credential "${credentialId}"` }];
    return ofModel && kind !== 'api-key'
      ? [{ path, message: `is of the kind "${kind}"; a model takes one of the kind "api-key"` }]
      : [];
  });
}

const known = new WeakMap<FlowDefinition, readonly string[]>();

/** The ids of the credentials that a definition names, each once. */
export function credentialIdsOf(definition: FlowDefinition): readonly string[] {
  let ids = known.get(definition);
  if (!ids) {
    ids = [...new Set(referencesOf(definition).map(({ credentialId }) => credentialId))];
    known.set(definition, ids);
  }
  return ids;
}

/** Whether a definition names credentials at all. */
export const namesCredentials = (definition: FlowDefinition): boolean => referencesOf(definition).length > 0;

function referencesOf({ nodes }: FlowDefinition): Reference[] {
  return nodes.flatMap(({ config = {} }, index) => within(config, `nodes.${index}.config`, false));
}

/** Bounded by the depth of JSON from outside. */
function within(value: Json, path: string, ofModel: boolean): Reference[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'credentialId' && typeof member === 'string'
      ? [{ path: `${path}.${name}`, credentialId: member, ofModel }]
      : within(member, `${path}.${name}`, name === 'model'),
  );
}
