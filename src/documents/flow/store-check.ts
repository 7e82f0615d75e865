import type { Fault } from '../../common/service-error.js';
import type { FlowDefinition } from '../../flows/definition/flow-definition.js';
import type { Json } from '../../flows/engine/json.js';
import type { DocumentStores } from '../stores/document-stores.js';

/** A path in a definition, and the store that it names. */
interface Named {
  path: string;
  id: string;
}

/** Returns faults for the missing document stores that a flow names; it cannot be saved with them. */
export async function storeFaults(
  definition: FlowDefinition,
  stores: Pick<DocumentStores, 'ids'>,
): Promise<Fault[]> {
  const named = storesIn(definition);
  if (named.length === 0) return [];
  const known = new Set(await stores.ids());
  return named
    .filter(({ id }) => !known.has(id))
    .map(({ path, id }) => ({ path, message: `there is no document store "${id}"` }));
}

function storesIn({ nodes }: FlowDefinition): Named[] {
  return nodes.flatMap(({ kind, config = {} }, index) => {
    const path = `nodes.${index}.config`;
    const { tools } = config;
    const inTools = Array.isArray(tools)
      ? tools.flatMap((tool, place) => namedIn(tool, `${path}.tools.${place}`))
      : [];
    return [...(kind === 'retriever' ? listed(config['stores'], path) : namedIn(config, path)), ...inTools];
  });
}

function namedIn(settings: Json, path: string): Named[] {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return [];
  return settings['tool'] === 'retrieve' ? listed(settings['stores'], path) : [];
}

const listed = (stores: Json | undefined, path: string): Named[] =>
  Array.isArray(stores)
    ? stores.flatMap((id, place) => (typeof id === 'string' ? [{ path: `${path}.stores.${place}`, id }] : []))
    : [];
