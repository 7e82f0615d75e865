import type { ExecutionWithTrace, Tokens } from '../../../../src/api/executions.js';
import type { StreamEvent } from '../../../common/event-stream.js';
import { warningSentences } from '../../../common/warning.js';
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
}

export const newTurn = (id: number, question: string, photographs: readonly string[]): Turn => ({
  ...{ id, question, photographs },
  ...{ answer: '', state: 'running', reconnecting: false, nodes: new Map(), warnings: [] },
});

/** The stream's words for the trace's states. */
const statuses: Readonly<Record<string, string>> = {
  INPROGRESS: 'running',
  FINISHED: 'succeeded',
  ERROR: 'failed',
  TERMINATED: 'stopped',
  STOPPED: 'waiting',
};

type Members = Record<string, unknown>;

const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null ? (value as Members) : {};

/** Applies an event of the stream to the turn. */
export function withEvent(turn: Turn, { event, data }: StreamEvent): Turn {
  switch (event) {
    case 'token':
      return typeof data === 'string' ? { ...turn, answer: turn.answer + data } : turn;
    case 'nextAgentFlow':
      return withNode(turn, membersOf(data));
    case 'error':
      return { ...turn, error: typeof data === 'string' ? data : 'The flow failed.' };
    case 'metadata':
      return withMetadata(turn, membersOf(data));
    default:
      return turn;
  }
}

function withNode(turn: Turn, { nodeId, nodeLabel, status }: Members): Turn {
  if (typeof nodeId !== 'string') return turn;
  const word = statuses[String(status)] ?? String(status).toLowerCase();
  const nodes = new Map(turn.nodes);
  nodes.set(nodeId, { order: nodes.size, ...nodes.get(nodeId), status: word });
  if (word !== 'failed') return { ...turn, nodes };
  return {
    ...turn,
    nodes,
    failedNode: { id: nodeId, label: typeof nodeLabel === 'string' ? nodeLabel : nodeId },
  };
}

/** Applies `metadata` of a stream, or an answer that is not streamed. */
export function withMetadata(turn: Turn, { executionId, usage, warnings, text }: Members): Turn {
  const { credits, inputTokens, outputTokens } = membersOf(usage);
  const [input, output] = [Number(inputTokens ?? 0), Number(outputTokens ?? 0)];
  return {
    ...turn,
    ...(typeof text === 'string' ? { answer: text } : {}),
    ...(typeof executionId === 'string' ? { executionId } : {}),
    ...(typeof credits === 'number' ? { credits } : {}),
    ...(input + output > 0 ? { tokens: { inputTokens: input, outputTokens: output } } : {}),
    ...(Array.isArray(warnings) ? { warnings: warningSentences(warnings) } : {}),
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
  const { durationMs, failedNode, error, tokens, credits, refunded } = execution;
  return {
    ...turn,
    nodes: statesOf(execution),
    credits,
    ...(turn.error === undefined && error !== undefined && turn.state === 'failed' ? { error } : {}),
    ...(durationMs === null ? {} : { durationMs }),
    ...(failedNode === undefined ? {} : { failedNode }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(refunded === undefined ? {} : { refunded }),
  };
}

function statesOf({ nodes }: ExecutionWithTrace): Map<string, NodeState> {
  const states = new Map<string, NodeState>();
  for (const { nodeId, status, durationMs, output, flowId } of nodes) {
    // Nodes of called flows are not in the picture.
    if (flowId !== undefined) continue;
    const { branch } = membersOf(output);
    states.set(nodeId, {
      status,
      durationMs,
      order: states.get(nodeId)?.order ?? states.size,
      ...(typeof branch === 'string' ? { branches: [branch] } : {}),
    });
  }
  return states;
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
