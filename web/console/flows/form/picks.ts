import { useQuery } from '@tanstack/react-query';
import type { DocumentStoreView } from '../../../../src/api/documents.js';
import type { PageOf } from '../../../../src/api/shapes.js';
import { get } from '../../api/client.js';
import { useFlows } from '../../api/use-flows.js';
import type { Knowledge } from '../editor/completion.js';
import type { Schema } from '../editor/json-schema.js';
import { overridablePaths } from '../editor/overridable-paths.js';
import { idOf, type Members, nodesIn, textOf } from '../operations/definition.js';
import type { FormScope, PickOption } from './form-scope.js';

/** The most options in all fields of `overrides` together: each is rendered, also while its list is closed. */
const MOST_OPTIONS = 5_000;

/**
 * Returns what a member of a flow may name: its key, the credential that signs its callbacks, and the config values of its
 * nodes that callers may set, which are typed where there are too many to choose from.
 */
export function flowPicks({ known, schema = {} }: Knowledge, flow: Members): FormScope['pick'] {
  const paths = overridesIn(flow, schema);
  return (path) => {
    const name = path.at(-1);
    if (path[0] === 'overrides' && path.length === 2) return paths;
    if (name === 'apiKeyId') return known.apiKeys.map(named);
    if (name === 'webhookCredentialId')
      return known.credentials.filter(({ kind }) => kind === 'webhook').map(named);
    return undefined;
  };
}

function overridesIn(flow: Members, schema: Schema): readonly PickOption[] | undefined {
  const { overrides } = flow;
  if (!Array.isArray(overrides) || overrides.length === 0) return undefined;
  const nodes = nodesIn(flow).map((node) => ({ id: idOf(node), kind: textOf(node, 'kind') }));
  const paths = overridablePaths(nodes, schema);
  if (paths.length * overrides.length > MOST_OPTIONS) return undefined;
  return paths.map((value) => ({ value, name: value }));
}

/** Returns the records that a member of a node may name: credentials, flows, document stores, nodes. */
export function useNodePicks(definition: Members, node: Members, { known }: Knowledge): FormScope['pick'] {
  const kind = textOf(node, 'kind');
  const flows = useFlows(kind === 'execute-flow' || kind === 'agent' || kind === 'tool');
  const stores = useQuery({
    queryKey: ['document-stores'],
    queryFn: ({ signal }) => get<PageOf<DocumentStoreView>>('document-stores', { signal }),
    enabled: kind === 'retriever' || kind === 'agent' || kind === 'tool',
  });
  return (path) => {
    const [last, list] = [path.at(-1), path.at(-2)];
    if (last === 'credentialId') return known.credentials.map(named);
    if (last === 'flowId') return flows.data?.map(named) ?? [];
    if (list === 'stores') return stores.data?.data.map(named) ?? [];
    if (last !== 'backTo') return undefined;
    return nodesIn(definition)
      .filter((one) => idOf(one) !== idOf(node) && textOf(one, 'parentNode') === textOf(node, 'parentNode'))
      .map((one) => named({ id: idOf(one), name: textOf(one, 'label') || idOf(one) }));
  };
}

const named = ({ id, name }: { id: string; name: string }): PickOption => ({ value: id, name });
