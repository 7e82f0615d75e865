import { firstFaultOf } from '../../common/plain-faults.js';
import { compileFiller, type Filler } from './config-filler.js';
import type { GraphNode } from './flow-graph.js';
import type { Json } from './json.js';
import type { NodeKind, NodeKinds } from './node-kind.js';
import { HISTORY_NAMES } from './run-scope.js';
import { fillValue, type Lookup, parseTemplate } from './template.js';

/** A node that is ready to run: its config and texts are parsed. */
export interface NodePlan {
  kind: NodeKind;
  config: unknown;
  /** Absent when the config holds no reference. */
  filler: Filler | undefined;
  needsHistory: boolean;
  updateState: readonly (readonly [name: string, filler: StateFiller])[];
}

/** Returns the new value of a state name; a template that is a single reference keeps the type of its value. */
type StateFiller = (lookup: Lookup) => Json;

/** Values that the caller set for this run, by config path (`model.temperature`). They are never parsed as templates. */
type Overrides = ReadonlyMap<string, Json>;

/** Returns the texts of overrides that look like templates; a kind that fills its own texts must not fill these. */
export function literalsIn(overrides: Overrides | undefined): ReadonlySet<string> {
  const texts = new Set<string>();
  const open: Json[] = [...(overrides?.values() ?? [])];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string' && value.includes('{{')) texts.add(value);
    else if (typeof value === 'object' && value !== null)
      for (const member of Object.values(value)) open.push(member);
  }
  return texts;
}

const known = new WeakMap<GraphNode, { kind: NodeKind; plan: NodePlan }>();

/** Returns the plan of a node, which is made at its first run. Throws when the kind is unknown or the config is invalid. */
export function planOf(node: GraphNode, kinds: NodeKinds, overrides?: Overrides): NodePlan {
  const kind = kinds.get(node.kind);
  if (!kind) throw new Error(`The kind "${node.kind}" is not available in this version.`);
  if (overrides !== undefined && overrides.size > 0) return makePlan(node, kind, overrides);
  const found = known.get(node);
  if (found?.kind === kind) return found.plan;
  const plan = makePlan(node, kind);
  known.set(node, { kind, plan });
  return plan;
}

function makePlan(node: GraphNode, kind: NodeKind, overrides: Overrides = new Map()): NodePlan {
  const { updateState, ...written } = node.config;
  const parsed = kind.config.safeParse(withOverrides(written, overrides));
  if (!parsed.success) throw new Error(`The config is not valid: ${firstFaultOf(parsed.error)}`);
  const roots = new Set<string>();
  const raw = (kind.rawTexts ?? []).map((path) => path.split('.')[0]!);
  const filler = compileFiller(parsed.data, roots, { paths: new Set([...raw, ...overrides.keys()]) });
  const updates = stateFillers(updateState, roots);
  return {
    kind,
    config: parsed.data,
    filler,
    needsHistory: [...roots].some((root) => HISTORY_NAMES.has(root)),
    updateState: updates,
  };
}

/** Returns why a node cannot take the values of a caller; undefined if it can, or if its own config is the reason. */
export function overrideFault(node: GraphNode, kinds: NodeKinds, overrides: Overrides): string | undefined {
  const schema = kinds.get(node.kind)?.config;
  const { updateState: _updates, ...written } = node.config;
  const { error } = schema?.safeParse(withOverrides(written, overrides)) ?? {};
  return error && schema?.safeParse(written).success ? firstFaultOf(error) : undefined;
}

function withOverrides(config: Record<string, Json>, overrides: Overrides): Record<string, Json> {
  let changed = config;
  for (const [path, value] of overrides) changed = withMember(changed, path.split('.'), value);
  return changed;
}

function withMember(
  object: Record<string, Json>,
  [name, ...rest]: string[],
  value: Json,
): Record<string, Json> {
  if (name === undefined) return object;
  const inner = Object.hasOwn(object, name) ? object[name] : undefined;
  const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  const member = rest.length === 0 ? value : withMember(isObject ? inner : {}, rest, value);
  return Object.fromEntries([...Object.entries(object), [name, member]]);
}

function stateFillers(updateState: Json | undefined, roots: Set<string>): [string, StateFiller][] {
  if (typeof updateState !== 'object' || updateState === null || Array.isArray(updateState)) return [];
  return Object.entries(updateState).map(([name, value]) => [name, stateFiller(value, roots)]);
}

function stateFiller(value: Json, roots: Set<string>): StateFiller {
  if (typeof value !== 'string') {
    const filler = compileFiller(value, roots);
    return (lookup) => (filler ? (filler(lookup) as Json) : value);
  }
  const template = parseTemplate(value);
  for (const part of template.parts) if (typeof part !== 'string') roots.add(part.root);
  return (lookup) => fillValue(template, lookup);
}
