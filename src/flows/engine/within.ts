import type { Tokens } from '../../api/executions.js';
import type { SecretMask } from '../../common/masking/secret-mask.js';
import type { Warning } from '../../common/warnings.js';
import type { FlowGraph } from './flow-graph.js';
import type { Json } from './json.js';
import type { RunBudget, StateBudget } from './run-budget.js';
import type { NodeFailure } from './run-event.js';

/** A flow that a node runs as a part of its run. */
export interface SubFlow {
  flowId: string;
  name: string;
  revision: string;
  graph: FlowGraph;
  question: string;
  /** Its own variables with values from the node. */
  vars: ReadonlyMap<string, Json>;
  /** `same`: with the messages and state of this run's chat; `own`: in a new chat that is not stored. */
  chat: 'own' | 'same';
  /** Receives the pieces of its answer. */
  token?: (text: string) => void;
}

/** The result of a sub-flow, as plain JSON for the journal. */
export interface SubFlowResult {
  text: string;
  json?: Json;
  /** The state that it changed in this run's chat. */
  state: Record<string, Json>;
  followUpPrompts?: string[];
  warnings: readonly Warning[];
  tokens?: Tokens;
}

/** The context that a sub-flow's run shares with the run around it. */
export interface Within {
  /** The path of the node that runs it, from the outermost flow inwards. */
  path: string;
  /** Names of the sub-flows around it, itself the last. */
  names: readonly string[];
  revision: string;
  secrets: SecretMask;
  budget: RunBudget;
  /** The state of the chat, if it is the same. */
  state?: Record<string, Json>;
  chatState?: Record<string, Json>;
  stateBudget?: StateBudget;
}

/** Shared by all runs, because a stack trace would cost each run more than a small node does. */
export const RUN_IS_OVER = new Error('The run is over.');

/** A sub-flow failed. Its failure becomes that of the node which runs it. */
export class SubFlowFailed extends Error {
  constructor(
    name: string,
    readonly failure: NodeFailure,
  ) {
    super(`The flow "${name}" failed at "${failure.label}": ${failure.message}`);
  }
}
