import type { Warning } from '../../common/warnings.js';
import type { Json } from './json.js';

/** Tokens that a model counted for one node. */
export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
}

/** A failure of a node, as the trace and the flow's owner see it. */
export interface NodeFailure {
  nodeId: string;
  label: string;
  message: string;
  /** Where the record shall say more than `flow_failed`. */
  code?: string;
  /** The error that was thrown. */
  cause: unknown;
}

/** One run of one node, as it stands in the trace (contract section 8). Instants are epoch milliseconds. */
export interface NodeRun {
  /** Unique within the execution: a node that runs again (loop, iteration, retry) gets another. */
  runId: string;
  nodeId: string;
  label: string;
  kind: string;
  status: 'running' | 'succeeded' | 'failed' | 'stopped' | 'waiting';
  startedAt: number;
  durationMs?: number;
  input: Json;
  output?: Json;
  error?: string;
  errorCode?: string;
  tokens?: TokenUsage;
  /** 1 for the first time this node runs in the execution, 2 for the second … */
  attempt: number;
  /** `runId` of the iteration, loop, sub-flow or agent that this run belongs to. */
  parent?: string;
  /** The flow that the node stands in, where that is a sub-flow. */
  flowId?: string;
}

/** A question to a human that stops the run. */
export interface HumanStop {
  /** `<nodeId>#<random>`: this stop alone, whichever visit of the node it is. */
  name: string;
  nodeId: string;
  label: string;
  /** The question, as the human reads it. */
  text: string;
  /** The human may say something beside yes or no. */
  feedback: boolean;
  /** As clients draw it. */
  action: Json;
  /** Everything that a later call needs to go on: plain JSON. */
  snapshot: Json;
}

/** The result of a run that succeeded. */
export interface RunResult {
  text: string;
  json?: Json;
  /** The chat's flow state after the run: written only when the run succeeded. */
  state: Record<string, Json>;
  stateChanged: boolean;
  tokens?: TokenUsage;
  followUpPrompts?: string[];
  warnings: Warning[];
}

/**
 * All events of a run, in order. Trace, memory and wire subscribe to this one sequence; the engine knows none of them.
 * Exactly one of `finished`, `waiting`, `failed`, `aborted` comes, and it is the last.
 */
export type RunEvent =
  | { type: 'node-started'; run: NodeRun }
  | { type: 'node-ended'; run: NodeRun }
  /** A call that a node makes (an agent, of a tool): in the trace below its node, and nowhere else. */
  | { type: 'call-started'; run: NodeRun }
  | { type: 'call-ended'; run: NodeRun }
  /** A piece of the answer: only from leaves, in the order of contract section 3 (a later leaf waits for the earlier). */
  | { type: 'token'; nodeId: string; text: string }
  | { type: 'thinking'; nodeId: string; text: string }
  | { type: 'called-tools'; nodeId: string; tools: Json }
  | { type: 'used-tools'; nodeId: string; tools: Json }
  | { type: 'source-documents'; nodeId: string; documents: Json }
  | { type: 'usage'; nodeId: string; usage: TokenUsage }
  /** Progress of a slow node (a render), for listeners that show it. */
  | { type: 'progress'; nodeId: string; label: string; progress: Json }
  | { type: 'finished'; result: RunResult }
  | { type: 'waiting'; stop: HumanStop; result: RunResult }
  | { type: 'failed'; failure: NodeFailure }
  | { type: 'aborted'; reason: string };
