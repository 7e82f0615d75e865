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
  /** It may go on at the service, but the connection is lost for now. */
  reconnecting: boolean;
  nodes: ReadonlyMap<string, NodeState>;
  warnings: readonly string[];
  error?: string;
  failedNode?: { id: string; label: string };
  executionId?: string;
  durationMs?: number;
  credits?: number;
  /** The price was given back. */
  refunded?: number;
  tokens?: Tokens;
}

export const newTurn = (id: number, question: string, photographs: readonly string[]): Turn => ({
  ...{ id, question, photographs },
  ...{ answer: '', state: 'running', reconnecting: false, nodes: new Map(), warnings: [] },
});

/** How the stream calls what the trace calls otherwise. */
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

/** The turn with what an event of its stream says. */
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

/** `metadata` of a stream, and the whole of an answer that does not stream. */
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

/** Whether a node is still under way, as far as the turn was told. */
export const runsOn = ({ nodes }: Turn): boolean =>
  [...nodes.values()].some(({ status }) => status === 'running');

/** The turn as the record of its execution tells it, where its stream could not be read to the end. */
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

/** The turn with what the record of its execution knows more exactly: durations, branches, the node that failed. */
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
    // The picture is of the flow that was called.
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

/** Advice on an error, where the service's sentence has none for somebody at the console. */
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

/** A sentence that ends with the name of the page where it can be done. */
export interface Advice {
  sentence: string;
  page: 'credentials' | 'credit';
}
