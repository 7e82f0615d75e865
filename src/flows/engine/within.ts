import type { SecretMask } from '../../common/masking/secret-mask.js';
import type { Warning } from '../../common/warnings.js';
import type { FlowGraph } from './flow-graph.js';
import type { Json } from './json.js';
import type { RunBudget, StateBudget } from './run-budget.js';
import type { NodeFailure, TokenUsage } from './run-event.js';

/** Another flow that a node runs as a part of its run. */
export interface SubFlow {
  flowId: string;
  name: string;
  revision: string;
  graph: FlowGraph;
  question: string;
  /** Its own variables, with what the node sets over them. */
  vars: ReadonlyMap<string, Json>;
  /** `same`: the messages and the state of this run's chat; `own`: a new chat, of which nothing is kept. */
  chat: 'own' | 'same';
  /** Hears its answer as it grows. */
  token?: (text: string) => void;
}

/** The result of a sub-flow: JSON, because a run that is gone on with takes it from the journal. */
export interface SubFlowResult {
  text: string;
  json?: Json;
  /** State that it changed in this run's chat. */
  state: Record<string, Json>;
  followUpPrompts?: string[];
  warnings: readonly Warning[];
  tokens?: TokenUsage;
}

/** Where the run of a sub-flow stands: what it has in common with the run around it. */
export interface Within {
  /** Of the node that runs it, from the outermost flow inwards. */
  path: string;
  /** Names of the sub-flows around it, itself the last. */
  names: readonly string[];
  revision: string;
  secrets: SecretMask;
  budget: RunBudget;
  /** The state of the chat, where it is the same. */
  state?: Record<string, Json>;
  stateBudget?: StateBudget;
}

/** One for all runs: a stack would cost each of them more than a small node does. */
export const RUN_IS_OVER = new Error('The run is over.');

/** A sub-flow failed: its node's failure is that of the node which runs it. */
export class SubFlowFailed extends Error {
  constructor(
    name: string,
    readonly failure: NodeFailure,
  ) {
    super(`The flow "${name}" failed at "${failure.label}": ${failure.message}`);
  }
}
