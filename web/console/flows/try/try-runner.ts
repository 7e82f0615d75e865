import type { ExecutionRecord, ExecutionWithTrace } from '../../../../src/api/executions.js';
import type { FlowVersionName } from '../../../../src/api/flow-terms.js';
import type { PredictionAnswer } from '../../../../src/api/predictions.js';
import type { PageOf } from '../../../../src/api/shapes.js';
import { ApiError } from '../../api/api-error.js';
import { get, post, segment } from '../../api/client.js';
import { endedRecord, followRun } from '../../api/follow-run.js';
import type { Attached } from './photographs.js';
import { runsOn, type Turn, withEvent, withMetadata, withRecord, withTrace } from './turn.js';

/** The person's input: a message, or a form with its text for the chat. */
export interface TryInput {
  text: string;
  attached: readonly Attached[];
  form?: Record<string, unknown>;
}

export interface Question {
  flowId: string;
  chatId: string;
  input: TryInput;
  version: FlowVersionName;
  /** The version streams its answer. */
  streams: boolean;
}

/** Runs a version of the flow once and reports each step. Never rejects. */
export async function runTurn(
  question: Question,
  turn: Turn,
  show: (turn: Turn) => void,
  { signal, isStopped }: { signal: AbortSignal; isStopped: () => boolean },
): Promise<void> {
  let current = turn;
  const set = (next: Turn) => show((current = next));
  const run = question.streams ? stream : ask;
  try {
    const reportedEnd = await run(question, () => current, set, signal);
    // An expired stream reports only the end of the run, not that of its nodes.
    const complete = reportedEnd && !runsOn(current);
    const ended = complete
      ? over(current, current.error === undefined ? 'done' : 'failed')
      : over(withRecord(current, await endedRecord(current.executionId, signal)));
    set(isStopped() ? stopped(ended) : ended);
    if (!complete) return;
  } catch (error) {
    set(isStopped() || signal.aborted ? stopped(current) : failed(current, error));
  }
  const { executionId } = current;
  if (executionId === undefined) return;
  const trace = await get<ExecutionWithTrace>(`executions/${segment(executionId)}`).catch(() => undefined);
  if (trace) set(withTrace(current, trace));
}

type Get = () => Turn;
type Set = (turn: Turn) => void;

const bodyOf = ({ input: { text, attached, form }, chatId, version }: Omit<Question, 'flowId'>) => ({
  version,
  ...(form ? { form } : { question: text }),
  chatId,
  ...(attached.length === 0
    ? {}
    : { uploads: attached.map(({ name, mime, data }) => ({ type: 'file', name, mime, data })) }),
});

/** Follows the run. Returns whether it was reported to its end. */
const stream = ({ flowId, ...question }: Question, turn: Get, set: Set, signal: AbortSignal) =>
  followRun(
    flowId,
    bodyOf(question),
    {
      begun: (executionId) => set({ ...turn(), executionId }),
      event: (event) => set(withEvent(turn(), event)),
      reconnecting: (reconnecting) => {
        if (reconnecting !== turn().reconnecting) set({ ...turn(), reconnecting });
      },
    },
    signal,
  );

async function ask({ flowId, ...question }: Question, turn: Get, set: Set, signal: AbortSignal) {
  const path = `flows/${segment(flowId)}/run`;
  set(withMetadata(turn(), await post<PredictionAnswer>(path, bodyOf(question), { signal })));
  return true;
}

const over = (turn: Turn, state = turn.state): Turn => ({ ...turn, state, reconnecting: false });

/** Marks the turn as stopped by the person and drops its error. */
function stopped({ error: _, failedNode: __, ...turn }: Turn): Turn {
  return over(turn, 'stopped');
}

function failed(turn: Turn, error: unknown): Turn {
  const api = error instanceof ApiError ? error : undefined;
  const places = (api?.errors ?? []).map(({ path, message }) => `${path}: ${message}`);
  const sentence = api?.message ?? 'The answer could not be read. Try again.';
  return {
    ...over(turn, 'failed'),
    error: [sentence, ...places].join(' '),
    ...(api?.executionId === undefined ? {} : { executionId: api.executionId }),
  };
}

/** Cancels the run of this chat, at the service too. */
export async function stopTurn(
  flowId: string,
  chatId: string,
  executionId: string | undefined,
): Promise<void> {
  const id = executionId ?? (await runningOf(flowId, chatId));
  if (id !== undefined) await post(`executions/${segment(id)}/cancel`).catch(() => undefined);
}

async function runningOf(flowId: string, chatId: string): Promise<string | undefined> {
  const query = { flowId, chatId, status: 'running', limit: 1 };
  const found = await get<PageOf<ExecutionRecord>>('executions', { query }).catch(() => undefined);
  return found?.data[0]?.id;
}
