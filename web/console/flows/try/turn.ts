import type { ExecutionWithTrace, Tokens } from '../../../../src/api/executions.js';
import type { FlowVersionName } from '../../../../src/api/flow-terms.js';
import type {
  NodeStep,
  PredictionAnswer,
  PredictionEvent,
  StreamMetadata,
} from '../../../../src/api/predictions.js';
import { warningSentences } from '../../../common/warning.js';
import { statesOf, withStatus } from '../../graph/node-states.js';
import type { NodeState } from '../../graph/picture.js';

/** A question and its outcome. */
export interface Turn {
  id: number;
  question: string;
  photographs: readonly string[];
  answer: string;
  state: 'running' | 'done' | 'failed' | 'stopped';
  /** The connection is lost; the run may continue at the service. */
  reconnecting: boolean;
  nodes: ReadonlyMap<string, NodeState>;
  warnings: readonly string[];
  error?: string;
  failedNode?: { id: string; label: string };
  executionId?: string;
  durationMs?: number;
  credits?: number;
  /** Credits refunded. */
  refunded?: number;
  tokens?: Tokens;
  /** The version that ran, from the record. */
  version?: FlowVersionName;
}

export const newTurn = (id: number, question: string, photographs: readonly string[]): Turn => ({
  ...{ id, question, photographs },
  ...{ answer: '', state: 'running', reconnecting: false, nodes: new Map(), warnings: [] },
});

/** Applies an event of the stream to the turn. */
export function withEvent(turn: Turn, { event, data }: PredictionEvent): Turn {
  switch (event) {
    case 'token':
      return { ...turn, answer: turn.answer + data };
    case 'nextAgentFlow':
      return withNode(turn, data);
    case 'error':
      return { ...turn, error: data };
    case 'metadata':
      return withMetadata(turn, data);
    default:
      return turn;
  }
}

function withNode(turn: Turn, step: NodeStep): Turn {
  const nodes = withStatus(turn.nodes, step);
  if (step.status !== 'ERROR') return { ...turn, nodes };
  return { ...turn, nodes, failedNode: { id: step.nodeId, label: step.nodeLabel } };
}

/** Applies `metadata` of a stream, or an answer that is not streamed. */
export function withMetadata(
  turn: Turn,
  { executionId, usage, warnings, text }: StreamMetadata & Partial<Pick<PredictionAnswer, 'text'>>,
): Turn {
  const { credits, inputTokens = 0, outputTokens = 0 } = usage;
  return {
    ...turn,
    ...{ executionId, credits },
    ...(text === undefined ? {} : { answer: text }),
    ...(inputTokens + outputTokens > 0 ? { tokens: { inputTokens, outputTokens } } : {}),
    ...(warnings ? { warnings: warningSentences(warnings) } : {}),
  };
}

/** Returns whether a node is still running, by the events so far. */
export const runsOn = ({ nodes }: Turn): boolean =>
  [...nodes.values()].some(({ status }) => status === 'running');

/** Completes the turn from its execution record, when the stream could not be read to its end. */
export function withRecord(turn: Turn, execution: ExecutionWithTrace): Turn {
  const { status, answer, error } = execution;
  const ended: Turn = {
    ...turn,
    state: status === 'failed' ? 'failed' : status === 'aborted' ? 'stopped' : 'done',
    answer: answer ?? turn.answer,
    ...(error === undefined ? {} : { error }),
  };
  return withTrace(ended, execution);
}

/** Adds the details that only the execution record has: durations, branches, the failed node. */
export function withTrace(turn: Turn, execution: ExecutionWithTrace): Turn {
  const { durationMs, failedNode, error, tokens, credits, refunded, flowVersion } = execution;
  return {
    ...turn,
    nodes: statesOf(execution.nodes),
    credits,
    ...(turn.error === undefined && error !== undefined && turn.state === 'failed' ? { error } : {}),
    ...(durationMs === null ? {} : { durationMs }),
    ...(failedNode === undefined ? {} : { failedNode }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(refunded === undefined ? {} : { refunded }),
    ...(flowVersion === undefined ? {} : { version: flowVersion }),
  };
}

/** Returns advice for the admin on an error whose sentence gives none. */
export function adviceFor(error: string): Advice | undefined {
  if (error.startsWith('No model is configured'))
    return {
      sentence:
        'Add "model": { "provider": …, "name": …, "credentialId": … } to the definition. Add the provider’s key under',
      page: 'credentials',
    };
  if (/credit/i.test(error) && /balance|price/i.test(error))
    return { sentence: 'Top up the account under', page: 'credit' };
  return undefined;
}

/** A sentence that ends with a link to the page where to act. */
export interface Advice {
  sentence: string;
  page: 'credentials' | 'credit';
}
