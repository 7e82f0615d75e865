import { useCallback, useEffect, useRef, useState } from 'react';
import type { ExecutionWithTrace } from '../../../../src/api/executions.js';
import type { PredictionEvent } from '../../../../src/api/predictions.js';
import type { StreamEvent } from '../../../common/event-stream.js';
import { type RunEnd, runToEnd } from '../../api/follow-run.js';
import { statesOf, withStatus } from '../../graph/node-states.js';
import type { NodeStates } from '../../graph/picture.js';

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

/** Applies an event of the run's stream. */
export function after(replay: Replay, { event, data }: PredictionEvent): Replay {
  switch (event) {
    case 'token':
      return { ...replay, answer: replay.answer + data };
    case 'metadata':
      // When the stream has expired, this holds the whole answer.
      return { ...replay, answer: data.text ?? replay.answer };
    case 'nextAgentFlow':
      return { ...replay, nodes: withStatus(replay.nodes, data) };
    default:
      return replay;
  }
}

const begun: Replay = { state: 'running', reconnecting: false, answer: '', nodes: new Map() };

/** A run that repeats an execution, with a question of its own. */
export interface ReplayBody {
  question: string;
  executionId: string;
  version?: 'draft';
  chatId?: string;
}

/** Runs a flow and follows its answer. The record, read at the end, decides the outcome. */
export function useReplay(flowId: string) {
  const [replay, setReplay] = useState<Replay>();
  const leave = useRef<AbortController>(undefined);
  useEffect(() => () => leave.current?.abort(), []);
  const ask = useCallback(
    async (body: ReplayBody) => {
      leave.current?.abort();
      const { signal } = (leave.current = new AbortController());
      const set = (change: (now: Replay) => Replay) => {
        if (!signal.aborted) setReplay((now) => change(now ?? begun));
      };
      setReplay(begun);
      const listener = {
        begun: (executionId: string) => set((now) => ({ ...now, executionId })),
        event: (event: StreamEvent) => set((now) => after(now, event)),
        reconnecting: (reconnecting: boolean) => set((now) => ({ ...now, reconnecting })),
      };
      const end = await runToEnd(flowId, body, listener, signal);
      set((now) => ended(now, end));
    },
    [flowId],
  );
  const forget = useCallback(() => {
    leave.current?.abort();
    setReplay(undefined);
  }, []);
  return { replay, ask, forget };
}

function ended(now: Replay, { complete, executionId, execution, error }: RunEnd): Replay {
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
