import type { Schema } from './json-schema.js';
import { itemsAt, type LooseNode, nodeAt, textAt } from './loose-json.js';
import { overridablePaths } from './overridable-paths.js';
import { type Suggestion, written } from './suggestion.js';

/** The service's records that a definition may refer to by id. */
export interface Known {
  apiKeys: readonly { id: string; name: string }[];
  credentials: readonly { id: string; name: string; kind: string }[];
}

/** Returns values that no schema can list: this definition's nodes and branches, and the service's keys and credentials. */
export function namedValues(
  path: readonly string[],
  text: LooseNode | undefined,
  { apiKeys, credentials }: Known,
  schema: Schema,
): Suggestion[] {
  const name = path.at(-1);
  const place = path.map((step) => (/^\d+$/.test(step) ? '*' : step)).join('.');
  if (name === 'credentialId') return credentials.map(recordName);
  switch (place) {
    case 'edges.*.from':
    case 'edges.*.to':
      return nodesOf(text).map(nodeName);
    case 'nodes.*.parentNode':
      return nodesOf(text)
        .filter(({ kind }) => kind === 'iteration')
        .map(nodeName);
    case 'edges.*.on':
      return branches(text, textAt(text, 'edges', path[1]!, 'from')).map((branch) =>
        quoted(branch, 'branch'),
      );
    case 'access.apiKeyId':
      return apiKeys.map(recordName);
    case 'overrides.*':
      return overridablePaths(nodesOf(text), schema).map((value) => quoted(value, 'config'));
    default:
      return [];
  }
}

interface NamedNode {
  id: string;
  kind: string;
  index: number;
}

export const nodesOf = (text: LooseNode | undefined): NamedNode[] =>
  itemsAt(text, 'nodes').flatMap((node, index) => {
    const id = textAt(node, 'id');
    return id === undefined || id === '' ? [] : [{ id, kind: textAt(node, 'kind') ?? '', index }];
  });

function branches(text: LooseNode | undefined, from: string | undefined): string[] {
  const node = nodesOf(text).find(({ id }) => id === from);
  if (node?.kind !== 'condition') return [];
  const conditions = itemsAt(text, 'nodes', String(node.index), 'config', 'conditions');
  return [...conditions.map((_, index) => String(index)), 'else'];
}

/** Returns the names that a template of this definition may use. */
export function templateNames(text: LooseNode | undefined): { name: string; info: string }[] {
  const nodes = nodesOf(text);
  const state = nodes.flatMap(({ kind, index }) =>
    kind === 'start' || kind === 'set-state'
      ? membersOf(nodeAt(text, ['nodes', String(index), 'config', 'state']))
      : membersOf(nodeAt(text, ['nodes', String(index), 'config', 'updateState'])),
  );
  return [
    { name: 'question', info: 'The user’s message.' },
    { name: 'chat_history', info: 'The chat so far.' },
    { name: 'current_date_time', info: 'The time of the run.' },
    { name: 'file_attachment', info: 'The text of attached files.' },
    { name: '$flow.chatId', info: 'The id of the chat.' },
    ...membersOf(nodeAt(text, ['vars'])).map((name) => ({
      name: `$vars.${name}`,
      info: 'A variable of the flow.',
    })),
    ...[...new Set(state)].map((name) => ({
      name: `$flow.state.${name}`,
      info: 'Flow state, stored with the chat.',
    })),
    ...nodes
      .filter(({ kind }) => kind !== 'start')
      .flatMap(({ id, kind }) => [
        { name: id, info: `The text of this node (${kind}).` },
        { name: `${id}.output`, info: 'The node’s full output.' },
      ]),
  ];
}

const membersOf = (node: LooseNode | undefined): string[] =>
  node?.type === 'object' ? node.members.map(({ key }) => key) : [];

const nodeName = ({ id, kind }: NamedNode): Suggestion => quoted(id, kind === '' ? 'node' : kind);

const recordName = ({ id, name }: { id: string; name: string }): Suggestion => ({
  ...quoted(id, name),
  first: true,
});

const quoted = (value: string, detail: string): Suggestion => ({ ...written(value), detail });
