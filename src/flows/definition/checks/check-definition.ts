import { NEVER_OVERRIDDEN } from '../../../api/flow-terms.js';
import { atOnce, type Pausing } from '../../../common/pausing.js';
import { faultsOf } from '../../../common/plain-faults.js';
import type { Fault } from '../../../common/service-error.js';
import { crowdedNode, tooManyMarks } from '../../engine/crowded-texts.js';
import type { NodeKinds } from '../../engine/node-kind.js';
import { type FlowDefinition, flowDefinition } from '../flow-definition.js';
import { bodyFaults } from './check-bodies.js';
import { cycleFaults, edgeFaults } from './check-edges.js';
import { type Branches, checkNodes } from './check-nodes.js';
import { legibleDefinition } from './legible-definition.js';

/** Faults that an answer lists. */
export const MOST_FAULTS = 100;

/**
 * A valid definition, or the faults with their paths. `legible` is the part of a faulty definition that could be read.
 */
type CheckedDefinition = { definition: FlowDefinition } | { faults: Fault[]; legible?: FlowDefinition };

/**
 * Checks a definition: one that cannot run is refused when it is saved, not when it is called (contract section 9). Faults
 * of the schema do not hide others. Pauses between nodes and parts, because a definition may be large.
 */
export function* checkingDefinition(
  value: unknown,
  kinds: NodeKinds,
  most = MOST_FAULTS,
): Pausing<CheckedDefinition> {
  const parsed = flowDefinition.safeParse(value);
  const illegible = parsed.success ? [] : faultsOf(parsed.error);
  yield;
  const definition = parsed.success ? parsed.data : legibleDefinition(value);
  yield;
  if (!definition) return { faults: illegible };
  const crowded = crowdedNode(definition.nodes, ['{{']);
  const { faults, branches } =
    crowded === undefined ? yield* checkNodes(definition, kinds) : crowdedFault(crowded);
  const others = [
    () => startFaults(definition),
    () => edgeFaults(definition, branches),
    () => parentFaults(definition),
    () => cycleFaults(definition),
    () => bodyFaults(definition),
    () => overrideFaults(definition),
  ];
  for (const faultsOfPart of others) {
    for (const fault of faultsOfPart()) faults.push(fault);
    yield;
  }
  if (illegible.length + faults.length === 0) return { definition };
  return { faults: withFurther(illegible, faults).slice(0, most), legible: definition };
}

/** Appends further faults, except those at or below the place of a known one, which follow from it. */
function withFurther(faults: readonly Fault[], further: readonly Fault[]): Fault[] {
  const places = new Set(faults.map(({ path }) => path));
  const isKnown = ({ path }: Fault): boolean => {
    if (places.has('') || places.has(path)) return true;
    for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1))
      if (places.has(path.slice(0, dot))) return true;
    return false;
  };
  return [...faults, ...further.filter((fault) => !isKnown(fault))];
}

/** The fault of a flow with too many references; its configs are not checked one by one. */
const crowdedFault = (index: number): { faults: Fault[]; branches: Branches } => ({
  faults: [{ path: `nodes.${index}.config`, message: tooManyMarks('references ({{…}})') }],
  branches: new Map(),
});

/** Checks a definition without pauses, for commands and for files of an admin. */
export const checkDefinition = (value: unknown, kinds: NodeKinds): CheckedDefinition =>
  atOnce(checkingDefinition(value, kinds));

function startFaults({ nodes }: FlowDefinition): Fault[] {
  const starts = nodes.flatMap(({ kind }, index) => (kind === 'start' ? [index] : []));
  if (starts.length === 0) {
    const isUnread = nodes.some(({ kind }) => kind === '');
    return isUnread ? [] : [{ path: 'nodes', message: 'one node must be of the kind "start"' }];
  }
  return starts.slice(1).map((index) => ({
    path: `nodes.${index}.kind`,
    message: 'there may be only one start node',
  }));
}

function parentFaults({ nodes }: FlowDefinition): Fault[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return nodes.flatMap(({ parentNode, kind }, index) => {
    if (parentNode === undefined) return [];
    const parent = byId.get(parentNode);
    const path = `nodes.${index}.parentNode`;
    if (!parent) return [{ path, message: `there is no node "${parentNode}"` }];
    if (parent.kind !== 'iteration' && parent.kind !== 'missing')
      return [{ path, message: 'must be a node of the kind "iteration"' }];
    if (parent.parentNode !== undefined) return [{ path, message: 'an iteration cannot stand in another' }];
    return kind === 'start' ? [{ path, message: 'the start node cannot be part of an iteration' }] : [];
  });
}

function overrideFaults({ nodes, overrides = [] }: FlowDefinition): Fault[] {
  const ids = new Set(nodes.map(({ id }) => id));
  return overrides.flatMap((entry, index) => {
    const [nodeId = '', ...name] = entry.split('.');
    const path = `overrides.${index}`;
    if (!ids.has(nodeId)) return [{ path, message: `there is no node "${nodeId}"` }];
    const last = name.at(-1)!;
    return Object.hasOwn(NEVER_OVERRIDDEN, last) ? [{ path, message: NEVER_OVERRIDDEN[last]! }] : [];
  });
}
