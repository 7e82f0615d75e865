import { useCallback, useEffect, useRef, useState } from 'react';
import { get, segment } from '../api/client.js';
import { ApiError } from '../api/api-error.js';
import { readEvents } from '../api/event-source.js';
import type { ExecutionWithTrace } from '../api/types/executions.js';
import type { NodeState, NodeStates } from '../graph/picture.js';
import type { StreamEvent } from '../../common/event-stream.js';
import { statesOf } from './run-states.js';

export interface Replay {
  state: 'running' | 'done';
  answer: string;
  nodes: NodeStates;
  executionId?: string;
  /** As its record tells, once it has ended. */
  execution?: ExecutionWithTrace;
  error?: unknown;
}

/** Flowise's words for how a node stands. */
const words: Readonly<Record<string, string>> = {
  INPROGRESS: 'running',
  FINISHED: 'succeeded',
  ERROR: 'failed',
  TERMINATED: 'stopped',
  STOPPED: 'waiting',
};

/** What an event of the run adds; events that show nothing leave it as it was. */
export function after(replay: Replay, { event, data }: Pick<StreamEvent, 'event' | 'data'>): Replay {
  if (event === 'token' && typeof data === 'string') return { ...replay, answer: replay.answer + data };
  if (event !== 'nextAgentFlow' || typeof data !== 'object' || data === null) return replay;
  const { nodeId, status } = data as { nodeId?: unknown; status?: unknown };
  if (typeof nodeId !== 'string' || typeof status !== 'string') return replay;
  const state: NodeState = { status: Object.hasOwn(words, status) ? words[status]! : status };
  return { ...replay, nodes: new Map(replay.nodes).set(nodeId, state) };
}

const begun: Replay = { state: 'running', answer: '', nodes: new Map() };

/** Asks a flow from the console and follows the answer; its record, read at the end, has the last word. */
export function useReplay(flowId: string) {
  const [replay, setReplay] = useState<Replay>();
  const leave = useRef<AbortController>(undefined);
  useEffect(() => () => leave.current?.abort(), []);
  const ask = useCallback(
    async (body: { question: string; chatId?: string }) => {
      leave.current?.abort();
      const { signal } = (leave.current = new AbortController());
      let executionId: string | undefined;
      const set = (change: (now: Replay) => Replay) => {
        if (!signal.aborted) setReplay((now) => change(now ?? begun));
      };
      setReplay(begun);
      let error: unknown;
      try {
        await readEvents('POST', `flows/${segment(flowId)}/run`, (event) => set((now) => after(now, event)), {
          body: { ...body, streaming: true },
          signal,
          onOpen: ({ headers }) => {
            executionId = headers.get('X-Execution-Id') ?? undefined;
            if (executionId !== undefined) set((now) => ({ ...now, executionId: executionId! }));
          },
        });
      } catch (failure) {
        error = failure;
        if (failure instanceof ApiError) executionId ??= failure.executionId;
      }
      const execution = executionId === undefined ? undefined : await recordOf(executionId, signal);
      set((now) => ended(now, { executionId, execution, error }));
    },
    [flowId],
  );
  const forget = useCallback(() => {
    leave.current?.abort();
    setReplay(undefined);
  }, []);
  return { replay, ask, forget };
}

function ended(
  now: Replay,
  {
    executionId,
    execution,
    error,
  }: { executionId: string | undefined; execution: ExecutionWithTrace | undefined; error: unknown },
): Replay {
  return {
    ...now,
    state: 'done',
    ...(executionId !== undefined && { executionId }),
    ...(execution && {
      execution,
      nodes: statesOf(execution.nodes),
      answer: execution.answer ?? now.answer,
    }),
    ...(execution === undefined && error !== undefined && { error }),
  };
}

const AGAIN_MS = 700;

/** The record once it has ended; a stream that broke off leaves it running. */
async function recordOf(id: string, signal: AbortSignal): Promise<ExecutionWithTrace | undefined> {
  for (let tries = 0; tries < 60 && !signal.aborted; tries++) {
    const record = await get<ExecutionWithTrace>(`executions/${id}`, { signal }).catch(() => undefined);
    if (record && record.status !== 'running') return record;
    await new Promise((done) => setTimeout(done, AGAIN_MS));
  }
  return undefined;
}
