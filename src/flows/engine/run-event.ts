import type { SourceDocument } from '../../api/documents.js';
import type { ApprovalAction, TracedNode, Tokens } from '../../api/executions.js';
import type { StreamedCall } from '../../api/predictions.js';
import type { Warning } from '../../common/warnings.js';
import type { Json } from './json.js';

/** A failure of a node for the trace and the flow's owner. */
export interface NodeFailure {
  nodeId: string;
  label: string;
  message: string;
  /** The code of the record instead of `flow_failed`. */
  code?: string;
  /** The error that was thrown. */
  cause: unknown;
}

/** One run of a node in the trace (contract section 8). Instants are epoch milliseconds. */
export interface NodeRun extends TracedNode {
  input: Json;
  output?: Json;
}

/** A question to a human that stops the run. */
export interface PendingApproval {
  /** `<nodeId>#<random>`, unique for each question. */
  name: string;
  nodeId: string;
  label: string;
  /** The question for the human. */
  text: string;
  /** The human may add a comment. */
  feedback: boolean;
  /** The question in the form of clients. */
  action: ApprovalAction;
  /** The data that a later call needs to resume the run, as plain JSON. */
  snapshot: Json;
}

/** The result of a run that succeeded. */
export interface RunResult {
  text: string;
  json?: Json;
  /** The chat's flow state after the run; stored only when the run succeeded. */
  state: Record<string, Json>;
  stateChanged: boolean;
  tokens?: Tokens;
  followUpPrompts?: string[];
  warnings: Warning[];
}

/**
 * The events of a run in order. Trace, memory and protocols subscribe to this one sequence. The last event is `finished`,
 * `waiting`, `failed` or `aborted`.
 */
export type RunEvent =
  | { type: 'node-started'; run: NodeRun }
  | { type: 'node-ended'; run: NodeRun }
  /** A call within a node (a tool call of an agent), which only the trace shows. */
  | { type: 'call-started'; run: NodeRun }
  | { type: 'call-ended'; run: NodeRun }
  /** A piece of the answer, from leaves in the order of contract section 3. */
  | { type: 'token'; nodeId: string; text: string }
  | { type: 'thinking'; nodeId: string; text: string }
  | { type: 'called-tools'; nodeId: string; tools: StreamedCall[] }
  | { type: 'used-tools'; nodeId: string; tools: StreamedCall[] }
  | { type: 'source-documents'; nodeId: string; documents: SourceDocument[] }
  | { type: 'usage'; nodeId: string; usage: Tokens }
  /** Progress of a slow node (a render), for listeners that show it. */
  | { type: 'progress'; nodeId: string; label: string; progress: Json }
  | { type: 'finished'; result: RunResult }
  | { type: 'waiting'; approval: PendingApproval; result: RunResult }
  | { type: 'failed'; failure: NodeFailure }
  | { type: 'aborted'; reason: string };
