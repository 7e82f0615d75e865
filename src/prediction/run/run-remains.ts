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

/** The last event of a successful run, with an answer or a question. */
export type GoodEvent = Extract<RunEvent, { type: 'finished' | 'waiting' }>;

/** Changes to the chat by a successful run. */
export interface Remains {
  turn: Turn;
  /** State, if it changed. */
  state?: Record<string, Json>;
  /** New approval. */
  approval?: ApprovalRequest;
  /** Name of the approval that the run resumed from. */
  answered?: string;
}

/** Writes the changes of runs to their chats: messages, state and approvals. */
@Injectable()
export class RunRemains {
  constructor(
    private readonly memory: ChatMemory,
    private readonly approvals: ApprovalStore,
    private readonly firstCalls: FirstCalls,
    private readonly config: AppConfig,
  ) {}

  /** Returns the approval of a waiting run, after storing its first call. */
  async prepareApproval(
    call: PredictionCall,
    context: CallContext,
    last: RunEvent,
    at: number,
  ): Promise<ApprovalRequest | undefined> {
    if (last.type !== 'waiting') return undefined;
    const { name, nodeId, label: nodeLabel, text, action, snapshot } = last.approval;
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

  /** Stores the changes, in the transaction that ends the runs. */
  async store(tx: Tx, remains: readonly Remains[]): Promise<void> {
    await this.memory.storeTurns(
      tx,
      remains.map(({ turn }) => turn),
    );
    for (const { turn, state, approval, answered } of remains) {
      const chat: Chat = { flowId: turn.flowId, chatId: turn.chatId };
      if (state) await this.memory.storeState(tx, chat, state, turn.at);
      if (approval) await this.approvals.add(tx, approval);
      if (approval && answered !== undefined) await this.approvals.clearSnapshot(tx, answered);
    }
  }
}
