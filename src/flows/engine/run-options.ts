import type { Observable } from 'rxjs';
import type { FlowGraph } from './flow-graph.js';
import type { HumanAnswer } from './human-question.js';
import type { Journal } from './journal.js';
import type { Json } from './json.js';
import type { NodeKinds, RunInput } from './node-kind.js';
import type { RunBudget } from './run-budget.js';
import type { RunEvent } from './run-event.js';
import type { Within } from './within.js';

/** The input of a run: the call and the stored flow state of the chat. */
export interface FlowInput extends RunInput {
  state: Record<string, Json>;
  /** True if the caller set a part of the state. */
  bringsState?: boolean;
  /** The snapshot of a run that waited and the human's answer: the run resumes there. */
  resume?: { snapshot: Json; answer: HumanAnswer };
  /** Secrets that are known from the start, since the stored state may contain them. */
  secrets?: readonly string[];
}

export interface RunOptions {
  /** Aborts the run. */
  signal: AbortSignal;
  /** Epoch milliseconds. */
  now(): number;
  newId(): string;
  /** Returns 128 random bits for the name of a question. */
  newToken(): string;
  /** The journal of effects; without one, nothing is stored. */
  journal?: Journal;
  /** The limits of the run, which the caller ends after the answer is stored; by default the run has its own. */
  budget?: RunBudget;
  /** The outer run, if this run is a part of one. */
  within?: Within;
}

/** The type of `runFlow`, to avoid an import cycle. */
export type RunFlow = (
  graph: FlowGraph,
  kinds: NodeKinds,
  input: FlowInput,
  options: RunOptions,
) => Observable<RunEvent>;
