import type { Flow } from '../api/types/flows.js';

/** Members that the store adds: no part of a definition. */
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

/** A stored flow as the text that is edited: first what it is called, last its nodes and edges. */
export function textOfFlow(flow: Flow): string {
  const members = Object.entries(flow).filter(([name]) => !stored.has(name));
  members.sort(([one], [other]) => rank(one) - rank(other));
  return formatted(Object.fromEntries(members));
}

export const formatted = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Lines that differ between two texts, from the first to the last that does, each counted from 1. */
export interface Difference {
  mine: string;
  theirs: string;
  line: number;
}

/** Where two texts differ; undefined where they do not. */
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
