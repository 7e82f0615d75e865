import type { Pausing } from '../../../common/pausing.js';
import { Warnings, type Warning } from '../../../common/warnings.js';
import { compileGraph, reachable } from '../../engine/flow-graph.js';
import type { NodeKinds } from '../../engine/node-kind.js';
import type { FlowDefinition } from '../flow-definition.js';
import { memberPath, nodeTitle, type WarnHere } from './node-title.js';
import { warnOfReferences } from './reference-warnings.js';
import { warnOfUnknownMembers } from './unknown-members.js';

/**
 * Warns of probable mistakes in a valid definition: unknown references, unreachable nodes, unknown members, placeholders of an import. `written` is the
 * value that was sent, `definition` the parsed one; paths are those of `written`. Each warning names its node, so that equal
 * warnings are merged within a node only. Pauses, because a definition may be large.
 */
export function* definitionWarnings(
  written: unknown,
  definition: FlowDefinition,
  kinds: NodeKinds,
): Pausing<Warning[]> {
  const warnings = new Warnings();
  const warn: WarnHere = (make) => warnings.addMade(make);
  warnOfUnknownMembers(written, definition, kinds, warn);
  yield;
  warnOfUnreached(definition, warn);
  warnOfPlaceholders(definition, kinds, warn);
  yield;
  yield* warnOfReferences(definition, kinds, warn);
  return warnings.list();
}

/** Warns of unreachable nodes, but not of the body of an unreachable iteration. */
function warnOfUnreached(definition: FlowDefinition, warn: WarnHere): void {
  const graph = compileGraph(definition);
  const reached = new Set(graph.roots.flatMap((root) => [...reachable(root)]));
  for (const { index, id } of graph.nodes) {
    if (reached.has(graph.byId.get(id)!)) continue;
    warn(() => ({
      code: 'unreached_node',
      message: `${nodeTitle(definition.nodes[index]!)}: no edge leads to it, so it never runs.`,
      path: `nodes[${index}]`,
    }));
  }
}

/** Warns of nodes and tools that an import could not carry over. */
function warnOfPlaceholders({ nodes }: FlowDefinition, kinds: NodeKinds, warn: WarnHere): void {
  for (const [index, node] of nodes.entries()) {
    const kind = kinds.get(node.kind);
    const config = kind?.placeholders && kind.config.safeParse(node.config ?? {});
    if (!config?.success) continue;
    for (const { code, original, path } of kind!.placeholders!(config.data))
      warn(() => ({
        code,
        message: `${nodeTitle(node)}: ${SHORTCOMINGS[code]} "${original}", which could not be imported.`,
        path: path === '' ? `nodes[${index}]` : memberPath(`nodes[${index}].config`, path),
      }));
  }
}

const SHORTCOMINGS = {
  node_missing: 'a run that reaches it fails, because it is a placeholder for',
  tool_missing: 'the model is never offered its placeholder for the tool',
} as const;
