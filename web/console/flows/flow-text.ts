import { FLOW_MEMBERS, STORED_MEMBERS } from '../../../src/api/flow-terms.js';
import type { FlowView } from '../../../src/api/flows.js';

const order = ['vars', 'overrides', 'chat', 'report', 'notes', 'nodes', 'edges'];

const rank = (name: string): number => order.indexOf(name);

const STORED: ReadonlySet<string> = new Set(STORED_MEMBERS);

/** Returns the part of a flow to which a member belongs; undefined for an unknown member. */
export const placeOf = (name: string): string | undefined =>
  Object.hasOwn(FLOW_MEMBERS, name) ? FLOW_MEMBERS[name as keyof typeof FLOW_MEMBERS] : undefined;

/** Returns the members of a flow, draft or version that are part of its definition; in a draft also unknown ones. */
export const definitionIn = (flow: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(flow).filter(([name]) => {
      const place = placeOf(name);
      return place === 'definition' || (place === undefined && !STORED.has(name));
    }),
  );

/** Returns the settings of a flow. */
export const settingsIn = (flow: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(flow).filter(([name]) => placeOf(name) === 'setting'));

/** Formats the definition of a flow, draft or version as text, its nodes and edges last. */
export function textOfFlow(flow: object): string {
  const members = Object.entries(definitionIn(flow));
  members.sort(([one], [other]) => rank(one) - rank(other));
  return formatted(Object.fromEntries(members));
}

/** Formats the settings of a flow as text. */
export const textOfSettings = (flow: FlowView): string => formatted(settingsIn(flow));

/** Formats a flow as a file from which it can be created again, with its settings. */
export const fileOfFlow = (flow: FlowView): string =>
  formatted({ id: flow.id, ...settingsIn(flow), ...definitionIn(flow) });

/** Returns the definition of a further flow like this one, with the same settings and an id of its own. */
export const copyOf = (flow: FlowView): object => ({
  ...settingsIn(flow),
  ...definitionIn(flow),
  name: `${[...flow.name].slice(0, 90).join('')} (copy)`,
});

export const formatted = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The differing lines of two texts, from the first to the last difference. Lines are counted from 1. */
export interface Difference {
  mine: string;
  theirs: string;
  line: number;
}

/** Compares two texts; undefined when they are the same. */
export function differenceOf(mine: string, theirs: string): Difference | undefined {
  if (mine === theirs) return undefined;
  const [own, other] = [mine.split('\n'), theirs.split('\n')];
  const least = Math.min(own.length, other.length);
  let from = 0;
  while (from < least && own[from] === other[from]) from++;
  let end = 0;
  while (end < least - from && own.at(-1 - end) === other.at(-1 - end)) end++;
  return {
    mine: own.slice(from, own.length - end).join('\n'),
    theirs: other.slice(from, other.length - end).join('\n'),
    line: from + 1,
  };
}
