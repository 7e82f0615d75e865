/** Sources of the answers of models, requests and tools in a case. */
export const CASE_CALLS = ['recorded', 'live'] as const;
export type CaseCalls = (typeof CASE_CALLS)[number];

/** States of a run of cases. A run whose process died is `interrupted`. */
export const CASE_RUN_STATUSES = ['running', 'finished', 'cancelled', 'interrupted'] as const;
export type CaseRunStatus = (typeof CASE_RUN_STATUSES)[number];

/** Kinds of checks of an answer. */
export const CHECK_KINDS = ['contains', 'equals', 'regex', 'json', 'schema', 'max', 'judge'] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

/** The ledger names a live case, which has no execution, by this and an id. */
export const CASE_CHARGE = 'case-';

/** The most executions that one run compares, and the most cases of a flow. */
export const MOST_COMPARED = 1_000;
