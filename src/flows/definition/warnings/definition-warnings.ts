import type { Pausing } from '../../../common/pausing.js';
import { type Warning, Warnings } from '../../../common/warnings.js';
import { compileGraph, reachable } from '../../engine/flow-graph.js';
import type { NodeKinds } from '../../engine/node-kind.js';
import type { FlowDefinition } from '../flow-definition.js';
import { nodeTitle, type WarnHere } from './node-title.js';
import { warnOfReferences } from './reference-warnings.js';
import { warnOfUnknownMembers } from './unknown-members.js';

/**
 * Warns of that which can run and is probably not meant: references to what is not there, nodes that nothing leads to,
 * members that nobody reads. `written` is what was sent, `definition` what was read of it. Paths are those of `written`;
 * each node is named, so that only what is equal in one node is told once. Pauses, because a definition may be large.
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
  yield;
  yield* warnOfReferences(definition, kinds, warn);
  return warnings.list();
}

/** The body of an iteration that nothing leads to is not told again. */
function warnOfUnreached(definition: FlowDefinition, warn: WarnHere): void {
  const graph = compileGraph(definition);
  const reached = new Set(graph.roots.flatMap((root) => [...reachable(root)]));
  for (const { index, id } of graph.nodes) {
    if (reached.has(graph.byId.get(id)!)) continue;
    warn(() => ({
      code: 'unreached_node',
      message: `${nodeTitle(definition.nodes[index]!)}: nothing leads to it, so that it never runs.`,
      path: `nodes[${index}]`,
    }));
  }
}
