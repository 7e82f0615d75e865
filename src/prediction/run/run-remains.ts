import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../common/app-config.js';
import type { Tx } from '../../database/tx.js';
import { ApprovalStore } from '../../executions/approvals/approval-store.js';
import type { ApprovalRequest } from '../../executions/approvals/approval.js';
import type { CallContext } from '../../executions/calls/call-context.js';
import type { Json } from '../../flows/engine/json.js';
import type { RunEvent } from '../../flows/engine/run-event.js';
import type { PredictionCall } from '../call/prediction-call.js';
import { type Chat, ChatMemory, type Turn } from '../memory/chat-memory.js';
import { FirstCalls } from './first-calls.js';

/** A run that ended well, with an answer or with a question. */
export type GoodEvent = Extract<RunEvent, { type: 'finished' | 'waiting' }>;

/** The changes to its chat by a run that ended well. */
export interface Remains {
  /** For the chat's memory. */
  turn: Turn;
  /** The state, where it changed. */
  state?: Record<string, Json>;
  /** The question that it asks. */
  approval?: ApprovalRequest;
  /** The name of the stop that it continued from. */
  answered?: string;
}

/** Writes the changes of runs to their chats: messages, state, and stops that wait for a human. */
@Injectable()
export class RunRemains {
  constructor(
    private readonly memory: ChatMemory,
    private readonly approvals: ApprovalStore,
    private readonly firstCalls: FirstCalls,
    private readonly config: AppConfig,
  ) {}

  /** The question of a run that stopped; its first call is stored, before the end of the run is written. */
  async asked(
    call: PredictionCall,
    context: CallContext,
    last: GoodEvent,
    at: number,
  ): Promise<ApprovalRequest | undefined> {
    if (last.type !== 'waiting') return undefined;
    const { name, nodeId, label: nodeLabel, text, action, snapshot } = last.stop;
    const requestKey = await this.firstCalls.put(call);
    const run = call.answers ?? { executionId: call.apiCall.executionId, runId: context.runId };
    return {
      ...{ name, nodeId, nodeLabel, text, action, snapshot, requestKey },
      ...{ flowId: call.flow.id, chatId: call.chatId },
      ...{ executionId: run.executionId, runId: run.runId },
      askedAt: at,
      expiresAt: at + this.config.approvalExpiresMs,
    };
  }

  /** In the transaction that ends these runs. */
  async keep(tx: Tx, remains: readonly Remains[]): Promise<void> {
    await this.memory.rememberAll(
      tx,
      remains.map(({ turn }) => turn),
    );
    for (const { turn, state, approval, answered } of remains) {
      const chat: Chat = { flowId: turn.flowId, chatId: turn.chatId };
      if (state) await this.memory.keepState(tx, chat, state, turn.at);
      if (approval) await this.approvals.add(tx, approval);
      if (approval && answered !== undefined) await this.approvals.clearSnapshot(tx, answered);
    }
  }
}
