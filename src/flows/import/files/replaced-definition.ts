import { type FlowDefinition, withSettingsOf } from '../../definition/flow-definition.js';
import { isMembers, type Members } from '../rows/members.js';

/**
 * Merges an imported definition with the flow that it replaces. Keeps what no export contains: settings, values of
 * variables, the look of the chat, overrides, and credentials of nodes that call the same service as before.
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
  const chat = made.chat ?? stored.chat;
  return {
    ...withSettingsOf(made, stored),
    nodes,
    ...(Object.keys(vars).length > 0 ? { vars } : {}),
    ...(overrides && overrides.length > 0 ? { overrides } : {}),
    ...(chat ? { chat } : {}),
  };
}

/** Keeps the credentials of unchanged addresses: a credential is never sent to another address. */
function withCredentials(config: Members, old: Members): Members {
  const [model, oldModel] = [config['model'], old['model']];
  const isSameModel =
    isMembers(model) && isMembers(oldModel) && sameMembers(model, oldModel, ['provider', 'baseUrl']);
  const isSameTarget = typeof config['url'] === 'string' && config['url'] === old['url'];
  return {
    ...config,
    ...(isSameModel && oldModel['credentialId'] ? { model: withCredential(model, oldModel) } : {}),
    ...(isSameTarget && old['credentialId'] ? withCredential({}, old) : {}),
    ...(config['credentialId'] === undefined ? {} : { credentialId: config['credentialId'] }),
  };
}

const withCredential = (members: Members, old: Members): Members => ({
  credentialId: old['credentialId']!,
  ...members,
});

const sameMembers = (one: Members, other: Members, names: readonly string[]): boolean =>
  names.every((name) => one[name] === other[name]);
