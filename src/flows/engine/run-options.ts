import type { Observable } from 'rxjs';
import type { FlowGraph } from './flow-graph.js';
import type { HumanAnswer } from './human-question.js';
import type { Journal } from './journal.js';
import type { Json } from './json.js';
import type { NodeKinds, RunInput } from './node-kind.js';
import type { RunBudget } from './run-budget.js';
import type { RunEvent } from './run-event.js';
import type { Within } from './within.js';

/** The start of a run: the call, and the flow state that the chat kept. */
export interface FlowInput extends RunInput {
  state: Record<string, Json>;
  /** Its caller set some of that state for this run. */
  bringsState?: boolean;
  /** The snapshot of a run that stopped, and what the human said: the run goes on there. */
  resume?: { snapshot: Json; answer: HumanAnswer };
  /** Secrets that are known from the start: the kept state of earlier runs may hold them. */
  secrets?: readonly string[];
}

export interface RunOptions {
  /** Aborts the run. */
  signal: AbortSignal;
  /** Epoch milliseconds. */
  now(): number;
  newId(): string;
  /** 128 random bits: what names a stop. */
  newToken(): string;
  /** Keeps what the run does outside of its own record; absent, nothing is kept. */
  journal?: Journal;
  /** The limits of the run. The caller ends it after the answer is stored; if absent, the run makes its own. */
  budget?: RunBudget;
  /** It is a part of another run. */
  within?: Within;
}

/** Runs another flow; `runFlow`, which stands above. */
export type RunFlow = (
  graph: FlowGraph,
  kinds: NodeKinds,
  input: FlowInput,
  options: RunOptions,
) => Observable<RunEvent>;
