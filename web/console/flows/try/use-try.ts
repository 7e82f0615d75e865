import { useEffect, useRef, useState } from 'react';
import { uniqueId } from '../../../common/unique-id.js';
import { type Question, runTurn, type TryInput, stopTurn } from './try-runner.js';
import { newTurn, type Turn } from './turn.js';

export interface Trying {
  turns: readonly Turn[];
  chatId: string;
  isRunning: boolean;
  ask: (input: TryInput, version: TriedVersion) => void;
  stop: () => void;
  /** Clears the turns and starts another chat. */
  restart: () => void;
}

interface Run {
  controller: AbortController;
  /** Stopped by the person. */
  stopped: boolean;
}

/** The version that a message runs. */
export type TriedVersion = Pick<Question, 'version' | 'streams'>;

/** Holds a chat with the saved flow while its page is open. */
export function useTry(flowId: string): Trying {
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [chatId, setChatId] = useState(newChatId);
  const running = useRef<Run>(undefined);
  const last = turns.at(-1);
  useEffect(() => () => running.current?.controller.abort(), []);
  const stop = async () => {
    const run = running.current;
    if (!run || last?.state !== 'running') return;
    run.stopped = true;
    await stopTurn(flowId, chatId, last.executionId);
    run.controller.abort();
  };
  return {
    turns,
    chatId,
    isRunning: last?.state === 'running',
    ask(input, version) {
      const turn = newTurn(
        (last?.id ?? 0) + 1,
        input.text,
        input.attached.map(({ name }) => name),
      );
      const run: Run = { controller: new AbortController(), stopped: false };
      running.current = run;
      setTurns([...turns, turn]);
      const show = (next: Turn) => {
        if (running.current === run) setTurns((all) => all.map((one) => (one.id === next.id ? next : one)));
      };
      const { signal } = run.controller;
      void runTurn({ flowId, chatId, input, ...version }, turn, show, {
        signal,
        isStopped: () => run.stopped,
      });
    },
    stop: () => void stop(),
    restart() {
      void stop();
      running.current = undefined;
      setTurns([]);
      setChatId(newChatId());
    },
  };
}

const newChatId = (): string => `try-${uniqueId()}`;
