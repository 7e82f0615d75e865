import type { FlowView } from '../../../src/api/flows.js';

/** Members that the store adds to a definition. */
const stored: ReadonlySet<string> = new Set([
  'revision',
  'isStreaming',
  'createdAt',
  'updatedAt',
  'warnings',
]);

const order = [
  ...['id', 'name', 'description', 'price', 'account', 'access', 'exposeTrace'],
  ...['vars', 'overrides', 'chat', 'nodes', 'edges'],
];

const rank = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);

/** Formats a stored flow as text: its names first, its nodes and edges last. */
export function textOfFlow(flow: FlowView): string {
  const members = Object.entries(flow).filter(([name]) => !stored.has(name));
  members.sort(([one], [other]) => rank(one) - rank(other));
  return formatted(Object.fromEntries(members));
}

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
