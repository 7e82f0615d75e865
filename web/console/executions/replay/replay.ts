import { useCallback, useEffect, useRef, useState } from 'react';
import type { ExecutionWithTrace } from '../../../../src/api/executions.js';
import type { StreamEvent } from '../../../common/event-stream.js';
import { ApiError } from '../../api/api-error.js';
import { endedRecord, followRun } from '../../api/follow-run.js';
import type { NodeState, NodeStates } from '../../graph/picture.js';
import { statesOf } from '../execution/run-states.js';

export interface Replay {
  state: 'running' | 'done';
  /** The connection is lost; the run may continue at the service. */
  reconnecting: boolean;
  answer: string;
  nodes: NodeStates;
  executionId?: string;
  /** Its record, once it has ended. */
  execution?: ExecutionWithTrace;
  error?: unknown;
}

/** Node states in Flowise's words. */
const words: Readonly<Record<string, string>> = {
  INPROGRESS: 'running',
  FINISHED: 'succeeded',
  ERROR: 'failed',
  TERMINATED: 'stopped',
  STOPPED: 'waiting',
};

/** Applies an event of the run's stream. */
export function after(replay: Replay, { event, data }: Pick<StreamEvent, 'event' | 'data'>): Replay {
  if (event === 'token' && typeof data === 'string') return { ...replay, answer: replay.answer + data };
  if (typeof data !== 'object' || data === null) return replay;
  if (event === 'metadata') {
    // When the stream has expired, this holds the whole answer.
    const { text } = data as { text?: unknown };
    return typeof text === 'string' ? { ...replay, answer: text } : replay;
  }
  if (event !== 'nextAgentFlow') return replay;
  const { nodeId, status } = data as { nodeId?: unknown; status?: unknown };
  if (typeof nodeId !== 'string' || typeof status !== 'string') return replay;
  const state: NodeState = { status: Object.hasOwn(words, status) ? words[status]! : status };
  return { ...replay, nodes: new Map(replay.nodes).set(nodeId, state) };
}

const begun: Replay = { state: 'running', reconnecting: false, answer: '', nodes: new Map() };

/** Runs a flow and follows its answer. The record, read at the end, decides the outcome. */
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
      let complete = false;
      let error: unknown;
      try {
        const listener = {
          begun: (id: string) => {
            executionId = id;
            set((now) => ({ ...now, executionId: id }));
          },
          event: (event: StreamEvent) => set((now) => after(now, event)),
          reconnecting: (reconnecting: boolean) => set((now) => ({ ...now, reconnecting })),
        };
        complete = await followRun(flowId, body, listener, signal);
      } catch (failure) {
        error = failure;
        if (failure instanceof ApiError) executionId ??= failure.executionId;
      }
      const execution = await endedRecord(executionId, signal).catch((failure: unknown) => {
        error ??= failure;
        return undefined;
      });
      set((now) => ended(now, { complete, executionId, execution, error }));
    },
    [flowId],
  );
  const forget = useCallback(() => {
    leave.current?.abort();
    setReplay(undefined);
  }, []);
  return { replay, ask, forget };
}

interface End {
  /** The streamed answer is complete. The record has only the beginning of a long one. */
  complete: boolean;
  executionId: string | undefined;
  execution: ExecutionWithTrace | undefined;
  error: unknown;
}

function ended(now: Replay, { complete, executionId, execution, error }: End): Replay {
  return {
    ...now,
    state: 'done',
    reconnecting: false,
    ...(executionId !== undefined && { executionId }),
    ...(execution
      ? {
          execution,
          nodes: statesOf(execution.nodes),
          ...(!complete && execution.answer !== undefined && { answer: execution.answer }),
        }
      : { error }),
  };
}
