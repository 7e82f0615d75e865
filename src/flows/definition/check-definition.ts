import { faultsOf } from '../../common/plain-faults.js';
import type { Fault } from '../../common/service-error.js';
import { compileGraph, type GraphEdge, type GraphNode } from '../engine/flow-graph.js';
import type { NodeKind, NodeKinds } from '../engine/node-kind.js';
import { type FlowDefinition, flowDefinition } from './flow-definition.js';

/** All kinds of contract section 9; those that are not built yet have legal names, but cannot be saved. */
const NAMED_KINDS: ReadonlySet<string> = new Set([
  ...['start', 'llm', 'agent', 'tool', 'retriever', 'condition', 'condition-agent', 'iteration', 'loop'],
  ...['human-input', 'http', 'function', 'execute-flow', 'reply', 'set-state', 'capture', 'render'],
]);

const MOST_FAULTS = 100;

/**
 * Checks what was sent as a definition. Answers it, or every fault with its path: a definition that cannot run is
 * refused when it is saved, not when it is called (contract section 9).
 */
export function checkDefinition(
  value: unknown,
  kinds: NodeKinds,
): { definition: FlowDefinition } | { faults: Fault[] } {
  const parsed = flowDefinition.safeParse(value);
  if (!parsed.success) return { faults: faultsOf(parsed.error) };
  const definition = parsed.data;
  const faults = [
    ...nodeFaults(definition, kinds),
    ...startFaults(definition),
    ...edgeFaults(definition, kinds),
    ...parentFaults(definition),
    ...cycleFaults(definition),
    ...overrideFaults(definition),
  ];
  return faults.length > 0 ? { faults: faults.slice(0, MOST_FAULTS) } : { definition };
}

function nodeFaults({ nodes }: FlowDefinition, kinds: NodeKinds): Fault[] {
  const seen = new Set<string>();
  return nodes.flatMap((node, index) => {
    const path = `nodes.${index}`;
    const faults: Fault[] = [];
    if (seen.has(node.id))
      faults.push({ path: `${path}.id`, message: `"${node.id}" is used by another node` });
    seen.add(node.id);
    const kind = kinds.get(node.kind);
    return [...faults, ...(kind ? configFaults(node, kind, `${path}.config`) : [kindFault(node.kind, path)])];
  });
}

function kindFault(kind: string, path: string): Fault {
  const message = NAMED_KINDS.has(kind)
    ? `the kind "${kind}" is not available in this version`
    : `"${kind}" is no kind of node`;
  return { path: `${path}.kind`, message };
}

function configFaults(
  { config = {} }: FlowDefinition['nodes'][number],
  kind: NodeKind,
  path: string,
): Fault[] {
  const { updateState, ...own } = config;
  const faults: Fault[] = [];
  if (
    updateState !== undefined &&
    (typeof updateState !== 'object' || !updateState || Array.isArray(updateState))
  )
    faults.push({ path: `${path}.updateState`, message: 'must be an object: name → template' });
  const parsed = kind.config.safeParse(own);
  return parsed.success ? faults : [...faults, ...faultsOf(parsed.error, path)];
}

function startFaults({ nodes }: FlowDefinition): Fault[] {
  const starts = nodes.flatMap(({ kind }, index) => (kind === 'start' ? [index] : []));
  if (starts.length === 0) return [{ path: 'nodes', message: 'one node must be of the kind "start"' }];
  return starts.slice(1).map((index) => ({
    path: `nodes.${index}.kind`,
    message: 'there may be only one start node',
  }));
}

function edgeFaults({ nodes, edges }: FlowDefinition, kinds: NodeKinds): Fault[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return edges.flatMap((edge, index) => {
    const [from, to] = [byId.get(edge.from), byId.get(edge.to)];
    const path = `edges.${index}`;
    const faults: Fault[] = [];
    if (!from) faults.push({ path: `${path}.from`, message: `there is no node "${edge.from}"` });
    if (!to) faults.push({ path: `${path}.to`, message: `there is no node "${edge.to}"` });
    if (to?.kind === 'start')
      faults.push({ path: `${path}.to`, message: 'nothing can lead to the start node' });
    if (from && to && from.parentNode !== to.parentNode)
      faults.push({ path, message: 'an edge cannot lead into an iteration or out of it' });
    const fault = from && branchFault(from, edge.on, kinds);
    return fault ? [...faults, { path: `${path}.on`, message: fault }] : faults;
  });
}

function branchFault(
  from: FlowDefinition['nodes'][number],
  on: string | undefined,
  kinds: NodeKinds,
): string | undefined {
  const kind = kinds.get(from.kind);
  if (!kind) return undefined;
  if (!kind.branches) return on === undefined ? undefined : `a node of kind "${from.kind}" has no branches`;
  const config = kind.config.safeParse(from.config ?? {});
  if (!config.success) return undefined;
  const branches = kind.branches(config.data);
  if (on !== undefined && branches.includes(on)) return undefined;
  return `must name a branch of "${from.id}": ${branches.map((name) => `"${name}"`).join(', ')}`;
}

function parentFaults({ nodes }: FlowDefinition): Fault[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return nodes.flatMap(({ parentNode, kind }, index) => {
    if (parentNode === undefined) return [];
    const parent = byId.get(parentNode);
    const path = `nodes.${index}.parentNode`;
    if (!parent) return [{ path, message: `there is no node "${parentNode}"` }];
    if (parent.kind !== 'iteration') return [{ path, message: 'must be a node of the kind "iteration"' }];
    if (parent.parentNode !== undefined) return [{ path, message: 'an iteration cannot stand in another' }];
    return kind === 'start' ? [{ path, message: 'the start node cannot be part of an iteration' }] : [];
  });
}

/** Edges that close a circle which no loop node bounds. */
function cycleFaults(definition: FlowDefinition): Fault[] {
  const graph = compileGraph(definition);
  if (definition.edges.length !== graph.edges.length) return [];
  const state = new Map<GraphNode, 'open' | 'done'>();
  const closing: GraphEdge[] = [];
  for (const root of graph.byId.values()) {
    if (!state.has(root)) visit(root, state, closing);
  }
  return closing.map(({ index, to }) => ({
    path: `edges.${index}`,
    message: `leads back to "${to.id}" without a loop node, so that the flow would never end`,
  }));
}

/** Depth first without recursion: a definition may be one long chain. */
function visit(root: GraphNode, state: Map<GraphNode, 'open' | 'done'>, closing: GraphEdge[]): void {
  const stack = [{ node: root, next: 0 }];
  state.set(root, 'open');
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const edge = top.node.outgoing[top.next++];
    if (!edge) {
      state.set(top.node, 'done');
      stack.pop();
    } else if (state.get(edge.to) === 'open') closing.push(edge);
    else if (!state.has(edge.to)) {
      state.set(edge.to, 'open');
      stack.push({ node: edge.to, next: 0 });
    }
  }
}

function overrideFaults({ nodes, overrides = [] }: FlowDefinition): Fault[] {
  const ids = new Set(nodes.map(({ id }) => id));
  return overrides.flatMap((entry, index) => {
    const [nodeId = '', ...name] = entry.split('.');
    const path = `overrides.${index}`;
    if (!ids.has(nodeId)) return [{ path, message: `there is no node "${nodeId}"` }];
    const last = name.at(-1)!;
    return last === 'model' || last === 'baseUrl' || last === 'credentialId'
      ? [{ path, message: 'where a model is reached, and with which credential, is never a caller’s word' }]
      : [];
  });
}
