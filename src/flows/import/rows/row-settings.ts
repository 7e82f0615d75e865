import type { FlowDefinition } from '../../definition/flow-definition.js';
import { placeOfInput } from '../../definition/node-overrides.js';
import { isJsonObject, type Json } from '../../engine/json.js';
import type { ImportedDependencies } from '../imported-node.js';
import { enabledIn, type LeftOf, movedAccess, overridesOf } from './access-settings.js';
import { movedChat } from './chat-settings.js';
import type { ForeignFlow } from './foreign-flow.js';
import { membersIn } from './members.js';

/** A variable of the other service. The value of a `runtime` variable is in its environment. */
export interface ForeignVariable {
  name: string;
  value: string;
  runtime: boolean;
}

/** Variables by workspace and name; a flow reads those of its workspace. */
export type ForeignVariables = ReadonlyMap<string, ReadonlyMap<string, ForeignVariable>>;

/** The objects outside of flows to which flows refer. */
export interface FlowDependencies extends ImportedDependencies {
  /** The API keys that exist here. */
  keys: { has(id: string): boolean };
  variables: ForeignVariables;
}

const NAMED = /\$vars(?:\.([\p{L}\p{N}_$-]+)|\s*\??\.?\[\s*\\?["'`]([^"'`\\\]]{1,200})\\?["'`]\s*\])/gu;

/** The variables that the texts and the code of a flow read. */
export interface VariableUse {
  names: ReadonlySet<string>;
  reads: (name: string) => boolean;
}

/** Finds the variables that a text reads; `$vars` without a plain name may read any of them. */
export function variablesReadIn(text: string): VariableUse {
  const names = new Set<string>();
  let plain = 0;
  for (const [, dotted, quoted] of text.matchAll(NAMED)) {
    names.add((dotted ?? quoted)!);
    plain++;
  }
  const any = (text.match(/\$vars(?![\p{L}\p{N}_])/gu) ?? []).length > plain;
  // In code `$vars.a-b` may be a difference.
  const heads = new Set([...names].map((name) => name.split('-')[0]!));
  return { names, reads: (name) => any || names.has(name) || heads.has(name) };
}

/** Returns a definition with the settings of its row: access, variables, overrides and chat. */
export function withRowSettings(
  flow: ForeignFlow,
  definition: Record<string, unknown>,
  {
    nodes,
    reads,
    dependencies,
    left,
  }: { nodes: readonly Json[]; reads: VariableUse; dependencies: FlowDependencies; left: LeftOf },
): Record<string, unknown> {
  const made = definition['nodes'] as FlowDefinition['nodes'];
  const vars = movedVars(flow, reads, dependencies.variables);
  const overrides = movedOverrides(flow, made, left);
  const chat = movedChat(flow, nodes);
  return {
    ...definition,
    access: movedAccess(flow, dependencies.keys, left),
    ...(Object.keys(vars).length > 0 ? { vars } : {}),
    ...(overrides.length > 0 ? { overrides } : {}),
    ...(Object.keys(chat).length > 0 ? { chat } : {}),
  };
}

/** Returns the variables with a value that the flow reads, locked unless callers may set them. */
function movedVars(
  flow: ForeignFlow,
  { reads }: VariableUse,
  variables: ForeignVariables,
): NonNullable<FlowDefinition['vars']> {
  const open = new Set(enabledIn(overridesOf(flow)['variables']));
  const own = [...(variables.get(flow.workspaceId) ?? new Map<never, never>()).values()];
  return Object.fromEntries(
    own
      .filter(({ name, runtime }) => !runtime && reads(name))
      .map(({ name, value }) => [name, { value, ...(open.has(name) ? {} : { locked: true }) }]),
  );
}

type Nodes = FlowDefinition['nodes'];

/**
 * Returns the node inputs that callers may set (contract section 3), as `nodeId.path`. The other service lists them by the
 * label of the node, which several nodes may share.
 */
function movedOverrides(flow: ForeignFlow, nodes: Nodes, left: LeftOf): string[] {
  const overrides = new Set<string>();
  for (const [label, list] of Object.entries(membersIn(overridesOf(flow), 'nodes'))) {
    const named = nodes.filter((node) => node.label === label.slice(0, 200));
    for (const input of enabledIn(list)) {
      const path = placeOfInput(input);
      const holders = path === undefined ? [] : named.filter(({ config }) => holds(config, path));
      if (holders.length === 0)
        left(`callers may not set "${input.slice(0, 60)}" of its node "${label.slice(0, 60)}" here`);
      for (const { id } of holders) overrides.add(`${id}.${path}`);
    }
  }
  return [...overrides].slice(0, 1_000);
}

/** Returns whether a config has the parent of a path's last member. */
function holds(config: Json | undefined, path: string): boolean {
  const parents = path.split('.').slice(0, -1);
  let at = config;
  for (const name of parents) at = isJsonObject(at) ? at[name] : undefined;
  return isJsonObject(at);
}
