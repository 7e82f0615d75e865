import { contentOf, type FlowDefinition, settingsOf } from '../../definition/flow-definition.js';
import { isJsonObject, type Json } from '../../engine/json.js';
import type { Members } from '../rows/members.js';

/**
 * Merges an imported definition with the flow that it replaces. Keeps what the export does not contain: settings, values
 * of variables, the look of the chat, the report, notes, overrides, and credentials of nodes and tools that call the same
 * service.
 */
export function replacedDefinition(imported: Members, stored: FlowDefinition): FlowDefinition {
  const made = imported as unknown as FlowDefinition;
  const before = new Map(stored.nodes.map((node) => [node.id, node]));
  const nodes = made.nodes.map((node) => {
    const old = before.get(node.id);
    return old?.kind === node.kind && node.config && old.config
      ? { ...node, config: withCredentials(node.config, old.config) }
      : node;
  });
  const ids = new Set(nodes.map(({ id }) => id));
  const overrides = made.overrides ?? stored.overrides?.filter((entry) => ids.has(entry.split('.', 1)[0]!));
  const vars = { ...stored.vars, ...made.vars };
  const { nodes: _nodes, edges: _edges, vars: _vars, overrides: _overrides, ...others } = contentOf(stored);
  return {
    ...settingsOf(stored),
    ...others,
    ...contentOf(made),
    nodes,
    ...(Object.keys(vars).length > 0 ? { vars } : {}),
    ...(overrides && overrides.length > 0 ? { overrides } : {}),
  };
}

/** Keeps the credentials of unchanged addresses: a credential is never sent to another address. */
function withCredentials(config: Members, old: Members): Members {
  const [model, oldModel] = [config['model'], old['model']];
  const isSameModel =
    isJsonObject(model) && isJsonObject(oldModel) && sameMembers(model, oldModel, ['provider', 'baseUrl']);
  const isSameTarget = typeof config['url'] === 'string' && config['url'] === old['url'];
  return {
    ...config,
    ...(isSameModel && oldModel['credentialId'] ? { model: withCredential(model, oldModel) } : {}),
    ...(isSameTarget && old['credentialId'] ? withCredential({}, old) : {}),
    ...(config['credentialId'] === undefined ? {} : { credentialId: config['credentialId'] }),
    ...(Array.isArray(config['tools']) ? { tools: withToolCredentials(config['tools'], old['tools']) } : {}),
  };
}

function withToolCredentials(tools: readonly Json[], old: Json | undefined): Json[] {
  const before = (Array.isArray(old) ? old : []).filter(isJsonObject);
  return tools.map((tool) => {
    if (!isJsonObject(tool) || typeof tool['url'] !== 'string') return tool;
    const same = before.find((each) => each['credentialId'] && sameMembers(tool, each, ['tool', 'url']));
    return same ? withCredential(tool, same) : tool;
  });
}

const withCredential = (members: Members, old: Members): Members => ({
  credentialId: old['credentialId']!,
  ...members,
});

const sameMembers = (one: Members, other: Members, names: readonly string[]): boolean =>
  names.every((name) => one[name] === other[name]);
