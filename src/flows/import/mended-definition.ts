import type { Pausing } from '../../common/pausing.js';
import type { Fault } from '../../common/service-error.js';
import { checkingDefinition } from '../definition/checks/check-definition.js';
import { isJsonObject } from '../engine/json.js';
import type { NodeKinds } from '../engine/node-kind.js';
import { type DraftEdge, type DraftNode, type ImportDraft, placeholder } from './import-draft.js';
import { wordOf } from './texts/imported-texts.js';

/** Rounds of repairs: one may reveal another fault, and an export needs two or three. */
const MOST_ROUNDS = 20;

/**
 * Repairs a converted export so that it can be saved, if that needs no guess. A node with an invalid config becomes a
 * placeholder with its settings; invalid edges and parents are left out. Each repair is a warning. Pauses after each fault.
 */
export function* mend(draft: ImportDraft, kinds: NodeKinds): Pausing<void> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    yield;
    const checked = yield* checkingDefinition(draft.definition(), kinds, Infinity);
    yield;
    if (!('faults' in checked) || !(yield* mendFaults(draft, checked.faults))) return;
  }
}

/** Returns whether anything was repaired. One fault of a node is enough to replace it. */
function* mendFaults(draft: ImportDraft, faults: readonly Fault[]): Pausing<boolean> {
  const dropped = new Set<DraftEdge>();
  const mended = new Set<DraftNode>();
  for (const { path, message } of faults) {
    const [list, number, ...rest] = path.split('.');
    const node = list === 'nodes' ? draft.nodes[Number(number)] : undefined;
    const edge = list === 'edges' ? draft.edges[Number(number)] : undefined;
    if (edge && !dropped.has(edge)) {
      dropped.add(edge);
      draft.warnOfEdge(edge, message);
    } else if (node && !mended.has(node) && mendNode(draft, node, rest, message)) mended.add(node);
    yield;
  }
  draft.edges = draft.edges.filter((edge) => !dropped.has(edge));
  return dropped.size + mended.size > 0;
}

function mendNode(
  draft: ImportDraft,
  node: DraftNode,
  [member, ...rest]: readonly string[],
  message: string,
): boolean {
  if (member === 'parentNode') {
    draft.warn(node, 'parent_left_out', `it stood in "${node.parentNode?.slice(0, 100)}" there: ${message}`);
    delete node.parentNode;
    return true;
  }
  const isMendable = member === undefined || member === 'config' || member === 'kind';
  if (!isMendable || node.kind === 'missing') return false;
  if (rest[0] === 'tools' && mendTool(draft, node, Number(rest[1]), message)) return true;
  const place = rest.length > 0 ? `${rest.join('.')} ` : '';
  placeholder(draft, node, `cannot run as it is (${place}${message})`);
  return true;
}

/** Replaces one invalid tool of an agent by a missing tool, so that the agent can run. */
function mendTool(draft: ImportDraft, node: DraftNode, index: number, message: string): boolean {
  const { tools } = node.config;
  const tool = Array.isArray(tools) ? tools[index] : undefined;
  if (!Array.isArray(tools) || !isJsonObject(tool) || tool['tool'] === 'missing') return false;
  const name = (wordOf(tool['name']) ?? wordOf(tool['tool']) ?? 'tool').slice(0, 100);
  draft.warn(
    node,
    'tool_missing',
    `the tool "${name}" cannot be called as it is (${message}); it is stored with its settings and not offered to the model`,
  );
  const missing = { tool: 'missing', original: name, settings: tool };
  node.config = { ...node.config, tools: tools.map((each, place) => (place === index ? missing : each)) };
  return true;
}
