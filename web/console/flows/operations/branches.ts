import { configOf, edgesIn, isMembers, type Members, textOf, withItems, withoutItems } from './definition.js';

/** Kinds whose branches are the items of a list of their config, and "else". */
const listed: Readonly<Record<string, string>> = { condition: 'conditions', 'condition-agent': 'scenarios' };

/** Returns the branches of a node as `on` names them; empty for a node without branches. */
export function branchesOf(node: unknown): readonly string[] {
  const [kind, config] = [textOf(node, 'kind'), configOf(node)];
  if (kind === 'human-input') return ['0', '1'];
  if (kind === 'missing') return textsIn(config['branches']);
  if (!Object.hasOwn(listed, kind)) return [];
  const list = config[listed[kind]!];
  return [...(Array.isArray(list) ? list.map((_, index) => String(index)) : []), 'else'];
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** Returns whether the items of a member of the config are branches. */
export const isBranchList = (node: unknown, path: readonly string[]): boolean => {
  const kind = textOf(node, 'kind');
  return path.length === 1 && Object.hasOwn(listed, kind) && listed[kind] === path[0];
};

/** Says in words which case a branch is; undefined without more than its name. */
export function branchTitle(node: unknown, branch: string): string | undefined {
  const [kind, config] = [textOf(node, 'kind'), configOf(node)];
  if (kind === 'human-input') return branch === '0' ? 'proceed' : 'reject';
  if (kind !== 'condition-agent' || !Array.isArray(config['scenarios'])) return undefined;
  const scenario: unknown = config['scenarios'][Number(branch)];
  return typeof scenario === 'string' ? scenario : undefined;
}

/** Removes the edges of a removed branch and renumbers those of the later ones. */
export function withoutBranch(definition: Members, id: string, index: number): Members {
  const left = withoutItems(definition, 'edges', (edge) => isFrom(edge, id, String(index)));
  return renumbered(left, id, (at) => (at > index ? at - 1 : at));
}

/** Renumbers the edges of two branches that change places. */
export const withSwappedBranches = (definition: Members, id: string, one: number, other: number): Members =>
  renumbered(definition, id, (at) => (at === one ? other : at === other ? one : at));

function renumbered(definition: Members, id: string, numberOf: (at: number) => number): Members {
  return withItems(definition, 'edges', (edge) => {
    const on = textOf(edge, 'on');
    if (!isMembers(edge) || edge['from'] !== id || !/^\d{1,6}$/.test(on)) return edge;
    const next = String(numberOf(Number(on)));
    return next === on ? edge : { ...edge, on: next };
  });
}

const isFrom = (edge: unknown, id: string, on: string): boolean =>
  isMembers(edge) && edge['from'] === id && edge['on'] === on;

/** Returns the branches without an edge; for a node without branches, "" when nothing follows it. */
export function openBranches(definition: Members, node: Members): string[] {
  const taken = edgesIn(definition).filter((edge) => isMembers(edge) && edge['from'] === node['id']);
  const branches = branchesOf(node);
  if (branches.length === 0) return taken.length === 0 ? [''] : [];
  return branches.filter((branch) => !taken.some((edge) => textOf(edge, 'on') === branch));
}
