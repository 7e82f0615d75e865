/** The fixed words of the execution log. Pages read this file too, so it imports nothing. */

export const EXECUTION_KINDS = ['prediction', 'capture', 'render'] as const;
export type ExecutionKind = (typeof EXECUTION_KINDS)[number];

export const EXECUTION_STATUSES = [
  ...(['running', 'succeeded', 'failed'] as const),
  ...(['aborted', 'waiting', 'rejected'] as const),
] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

/** Orders of the list: by start, newest first, or by duration, longest first. */
export const EXECUTION_ORDERS = ['newest', 'duration'] as const;

/** States of a node run, each with its word in streams, which is Flowise's. */
export const NODE_STATUSES = {
  running: 'INPROGRESS',
  succeeded: 'FINISHED',
  failed: 'ERROR',
  stopped: 'TERMINATED',
  waiting: 'STOPPED',
} as const;
export type NodeStatus = keyof typeof NODE_STATUSES;

/** Widths of the bars in charts. */
export const STATS_UNITS = ['minute', 'hour', 'day'] as const;
export type StatsUnit = (typeof STATS_UNITS)[number];

/** Outcomes of an approval: a click, or an ending without one. */
export const CLICKS = ['proceed', 'reject'] as const;
export type ClickType = (typeof CLICKS)[number];
export const ENDS_OF_WAITING = ['expired', 'cancelled', 'flow_deleted'] as const;
export const DECISIONS = [...CLICKS, ...ENDS_OF_WAITING] as const;
