import type { ExecutionWithTrace } from '../../../src/api/executions.js';
import { Unreachable } from '../../common/answer.js';
import { comeBack } from '../../common/come-back.js';
import type { StreamEvent } from '../../common/event-stream.js';
import { pause } from '../../common/pause.js';
import { ApiError, mayPass } from './api-error.js';
import { get, segment } from './client.js';
import { readEvents } from './event-source.js';

export interface RunListener {
  /** The run has started; `executionId` is its record. */
  begun(executionId: string): void;
  event(event: StreamEvent): void;
  reconnecting(yes: boolean): void;
}

/**
 * Runs a flow and reports every event of its stream once, in order, across lost connections. Returns false when the
 * stream could not be resumed to its end; the execution record then has the result. Throws `ApiError` when the run is
 * refused or the call does not arrive.
 */
export async function followRun(
  flowId: string,
  body: object,
  listener: RunListener,
  signal: AbortSignal,
): Promise<boolean> {
  const path = `flows/${segment(flowId)}/run`;
  let [begun, ended, lastEventId] = [false, false, ''];
  const onOpen = ({ headers }: Response) => {
    begun = true;
    listener.reconnecting(false);
    const executionId = headers.get('X-Execution-Id');
    if (executionId !== null) listener.begun(executionId);
  };
  const onEvent = (event: StreamEvent) => {
    lastEventId = event.id || lastEventId;
    ended ||= event.event === 'end';
    listener.event(event);
  };
  const resume = async () => {
    const headers = { 'Last-Event-ID': lastEventId };
    try {
      await readEvents('GET', `${path}/stream`, onEvent, { headers, signal, onOpen });
    } catch (error) {
      return goneOrBroken(error);
    }
    return ended || undefined;
  };
  try {
    await readEvents('POST', path, onEvent, { body: { ...body, streaming: true }, signal, onOpen });
  } catch (error) {
    if (!begun || !isBroken(error)) throw error;
  }
  if (ended || lastEventId === '') return ended;
  const lost = () => listener.reconnecting(true);
  const complete = await comeBack({ attempt: resume, place: () => lastEventId, lost, signal });
  signal.throwIfAborted();
  return complete ?? false;
}

const isBroken = (error: unknown): boolean => error instanceof ApiError && mayPass(error);

/** Returns false when the stream can never be resumed. Throws when it may be resumed later. */
function goneOrBroken(error: unknown): false {
  if (isBroken(error)) throw new Unreachable('The stream cannot be resumed yet.', { cause: error });
  if (error instanceof ApiError) return false;
  throw error;
}

const AGAIN_MS = 1_000;
/** Polls for three minutes; a restarted service ends its old runs within seconds. */
const MOST_POLLS = 180;

/** Resolves with the record of a run once it has ended. Throws `ApiError` when it cannot be read. */
export async function endedRecord(id: string | undefined, signal: AbortSignal): Promise<ExecutionWithTrace> {
  for (let polls = 0; id !== undefined && polls < MOST_POLLS; polls++) {
    if (polls > 0) await pause(AGAIN_MS, signal);
    try {
      const record = await get<ExecutionWithTrace>(`executions/${segment(id)}`, { signal });
      if (record.status !== 'running') return record;
    } catch (error) {
      if (!isBroken(error)) throw error;
    }
  }
  const sentence = 'The connection was lost before the run ended. See its execution for the result.';
  throw new ApiError(0, 'unreachable', sentence, [], id);
}

/** The end of a run as far as it could be read. */
export interface RunEnd {
  /** The streamed answer is complete. The record has only the beginning of a long one. */
  complete: boolean;
  executionId: string | undefined;
  execution: ExecutionWithTrace | undefined;
  error: unknown;
}

/** Runs a flow, follows it and reads its record, which decides the outcome. Never rejects. */
export async function runToEnd(
  flowId: string,
  body: object,
  listener: RunListener,
  signal: AbortSignal,
): Promise<RunEnd> {
  let executionId: string | undefined;
  let complete = false;
  let error: unknown;
  const begun = (id: string) => listener.begun((executionId = id));
  try {
    complete = await followRun(flowId, body, { ...listener, begun }, signal);
  } catch (failure) {
    error = failure;
    if (failure instanceof ApiError) executionId ??= failure.executionId;
  }
  const execution = await endedRecord(executionId, signal).catch((failure: unknown) => {
    error ??= failure;
    return undefined;
  });
  return { complete, executionId, execution, error };
}
