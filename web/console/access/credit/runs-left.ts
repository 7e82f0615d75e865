import type { FlowSummary } from '../../../../src/api/flows.js';

export interface RunsLeft {
  flow: FlowSummary;
  /** Infinity when a run is free. */
  runs: number;
}

/** Returns the runs left for each flow of an account, fewest first. */
export function runsLeft(balance: number, account: string, flows: readonly FlowSummary[]): RunsLeft[] {
  return flows
    .filter((flow) => flow.account === account)
    .map((flow) => ({ flow, runs: flow.price === 0 ? Infinity : Math.floor(balance / flow.price) }))
    .sort((one, other) => (one.runs === other.runs ? byName(one, other) : one.runs - other.runs));
}

const byName = (one: RunsLeft, other: RunsLeft): number => one.flow.name.localeCompare(other.flow.name);

const LOW = 10;

/** Rates a balance. `empty`: calls to some flow get 402 now; `low`: soon. An account without priced flows is never low. */
export function creditLevel(left: readonly RunsLeft[]): 'good' | 'low' | 'empty' {
  const least = left[0]?.runs ?? Infinity;
  if (least < 1) return 'empty';
  return least < LOW ? 'low' : 'good';
}
