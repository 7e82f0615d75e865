import type { Warning } from '../../common/warnings.js';
import { isJsonObject, type Json } from '../engine/json.js';
import type { FlowDefinition } from './flow-definition.js';
import type { Flow } from './flow.js';

/**
 * The config paths of node inputs by their Flowise names. A caller may use either name in `overrideConfig`; the flow's
 * `overrides` decide whether it is allowed.
 */
const PLACES: Readonly<Record<string, string>> = {
  modelName: 'model.name',
  customModelName: 'model.name',
  temperature: 'model.temperature',
  maxTokens: 'model.maxTokens',
  maxOutputTokens: 'model.maxTokens',
  maxTokensToSample: 'model.maxTokens',
  llmMessages: 'messages',
  agentMessages: 'messages',
  llmUserMessage: 'userMessage',
  agentUserMessage: 'userMessage',
  llmMemoryWindowSize: 'memory.size',
  agentMemoryWindowSize: 'memory.size',
  conditionAgentInstructions: 'instructions',
  conditionAgentInput: 'input',
  directReplyMessage: 'message',
  humanInputDescription: 'message',
  maxLoopCount: 'max',
  fallbackMessage: 'fallbackMessage',
  executeFlowInput: 'question',
};

/** Returns the config path of a Flowise input; undefined when there is none. */
export const placeOfInput = (name: string): string | undefined =>
  Object.hasOwn(PLACES, name) ? PLACES[name] : undefined;

/** The allowed members of `overrideConfig`, and the names of the others. */
interface PickedOverrides {
  /** nodeId → config path → value, as `RunInput.nodeOverrides` takes it. */
  nodeOverrides: Map<string, Map<string, Json>>;
  refused: string[];
}

/**
 * Picks from `overrideConfig` the node inputs that the flow's `overrides` allow (contract section 3). A value may be given
 * by its entry in `overrides`, by config name (for every node that allows it), as `{ nodeId: { name: value } }`, or as
 * `{ name: { nodeId: value } }`, and the name may be that of Flowise.
 */
export function pickOverrides(
  { nodes, overrides = [] }: FlowDefinition,
  given: ReadonlyMap<string, Json>,
): PickedOverrides {
  const allowed = new Set(overrides);
  const nodesOf = nodesByPath(overrides);
  const ids = new Set(nodes.map(({ id }) => id));
  const picked: PickedOverrides = { nodeOverrides: new Map(), refused: [] };
  const set = (nodeId: string, name: string, value: Json): boolean => {
    const path = allowed.has(`${nodeId}.${name}`) ? name : (placeOfInput(name) ?? name);
    if (!allowed.has(`${nodeId}.${path}`)) return false;
    const values = picked.nodeOverrides.get(nodeId) ?? new Map<string, Json>();
    picked.nodeOverrides.set(nodeId, values.set(path, value));
    return true;
  };
  /** Sets a value in each node that it is meant for, and returns whether each took it. */
  const take = (name: string, value: Json): boolean[] => {
    if (allowed.has(name)) return [set(...partsOf(name), value)];
    const members = isJsonObject(value) ? Object.entries(value) : [];
    if (ids.has(name)) return members.map(([path, inner]) => set(name, path, inner));
    if (members.length > 0 && members.every(([id]) => ids.has(id)))
      return members.map(([nodeId, inner]) => set(nodeId, name, inner));
    const nodeIds = nodesOf.get(name) ?? nodesOf.get(placeOfInput(name) ?? '') ?? [];
    return nodeIds.map((nodeId) => set(nodeId, name, value));
  };
  for (const [name, value] of given) {
    const taken = take(name, value);
    if (!taken.includes(true) || taken.includes(false)) picked.refused.push(name);
  }
  return picked;
}

/** Indexes the overrides by path, because a caller may send many names. */
function nodesByPath(overrides: readonly string[]): Map<string, string[]> {
  const nodes = new Map<string, string[]>();
  for (const entry of overrides) {
    const [nodeId, path] = partsOf(entry);
    nodes.set(path, [...(nodes.get(path) ?? []), nodeId]);
  }
  return nodes;
}

/** Splits an entry of `overrides` into its node id and config path. */
function partsOf(entry: string): [nodeId: string, path: string] {
  const dot = entry.indexOf('.');
  return [entry.slice(0, dot), entry.slice(dot + 1)];
}

/** Returns the flow's variables with the caller's values, and a warning for each `locked` one (contract section 3). */
export function effectiveVars(
  flow: Pick<Flow, 'definition'>,
  given: ReadonlyMap<string, Json>,
  path = 'overrideConfig.vars',
): { vars: Map<string, Json>; warnings: Warning[] } {
  const declared = new Map(Object.entries(flow.definition.vars ?? {}));
  const vars = new Map<string, Json>();
  for (const [name, { value }] of declared) vars.set(name, value);
  const warnings: Warning[] = [];
  for (const [name, value] of given) {
    if (declared.get(name)?.locked) {
      warnings.push({
        code: 'variable_locked',
        message: `The variable "${name.slice(0, 80)}" is locked by the flow. The value sent for it was ignored.`,
        path: `${path}.${name.slice(0, 80)}`,
      });
    } else vars.set(name, value);
  }
  return { vars, warnings };
}
