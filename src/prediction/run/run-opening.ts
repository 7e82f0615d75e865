import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { CreditLedger } from '../../auth/credit/credit-ledger.js';
import { Clock } from '../../common/clock.js';
import { timeLimit } from '../../common/time-limit.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { Tx } from '../../database/tx.js';
import type { SharedWork } from '../../database/writes/shared-work.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { accountKey, chatKey, type WriteKey } from '../../database/writes/write-keys.js';
import type { CallContext } from '../../executions/calls/call-context.js';
import { type CallDraft, CallLifecycle } from '../../executions/calls/call-lifecycle.js';
import { ExecutionLog } from '../../executions/log/execution-log.js';
import { cancellationError } from '../call/prediction-answer.js';
import type { PredictionCall } from '../call/prediction-call.js';
import type { Chat } from '../memory/chat-memory.js';
import { ChatLocks, type Place, sessionBusy } from './chat-locks.js';

interface Opening {
  call: PredictionCall;
  context: CallContext;
}

/**
 * Begins a run: takes its chat's lock, then writes its record and its charge in one transaction (contract section 2).
 * Throws 409 `session_busy` and 402 `insufficient_credit`.
 */
@Injectable()
export class RunOpening {
  /** Simultaneous openings share statements. */
  private readonly openings: SharedWork<Opening, boolean> = {
    keysOf: ({ call }) => touchedBy(call),
    write: (tx, openings) => this.openNow(tx, openings),
  };

  constructor(
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly lifecycle: CallLifecycle,
    private readonly log: ExecutionLog,
    private readonly credit: CreditLedger,
    private readonly locks: ChatLocks,
    private readonly clock: Clock,
  ) {}

  /** Opens a run and returns its place in the chat's queue, to be left at its end; undefined for a new chat. */
  async open(call: PredictionCall, context: CallContext): Promise<Place | undefined> {
    const { apiCall, body, flow, chatId } = call;
    const place =
      body.chatId === undefined ? undefined : this.locks.join(flow.id, chatId, { callerWaits: true });
    try {
      const atOnce = place?.atFront === undefined;
      const opened = atOnce && (await this.gate.writeTogether(this.openings, { call, context }));
      if (opened) apiCall.recorded = true;
      else await this.wait(call, context, place!);
      return place;
    } catch (error) {
      place?.leave();
      throw error;
    }
  }

  /** Waits for the lock of an open, paid run, however long. Throws the reason of a cancellation. */
  async waitForChatLock(chat: Chat, context: CallContext): Promise<Place> {
    const place = this.locks.join(chat.flowId, chat.chatId, { callerWaits: false });
    const touched = [chatKey(chat.flowId, chat.chatId)];
    const take = () => this.gate.write((tx) => this.log.takeChatLock(tx, context), touched);
    try {
      await this.untilTaken(chat, place, context.signal, take);
      return place;
    } catch (error) {
      place.leave();
      throw error;
    }
  }

  private async openNow(tx: Tx, openings: readonly Opening[]): Promise<boolean[]> {
    const drafts = openings.map(({ call, context }) => ({
      context,
      draft: { ...draftOf(call), credits: priceOf(call), takesChatLock: call.body.chatId !== undefined },
    }));
    const opened = await this.lifecycle.openAll(tx, drafts);
    const isOpen = ({ context }: Opening) => opened.has(context);
    await this.pay(
      tx,
      openings.filter(isOpen).map(({ call }) => call),
    );
    return openings.map(isOpen);
  }

  /** Opens the record with 0 credits while the call waits. */
  private async wait(call: PredictionCall, context: CallContext, place: Place): Promise<void> {
    await this.gate.write((tx) => this.lifecycle.open(tx, context, draftOf(call)), []);
    call.apiCall.recorded = true;
    const until = AbortSignal.any([context.signal, timeLimit(this.locks.patienceMs)]);
    try {
      const chat = { flowId: call.flow.id, chatId: call.chatId };
      const take = () => this.gate.write((tx) => this.takeChatLock(tx, call, context), touchedBy(call));
      await this.untilTaken(chat, place, until, take);
    } catch (error) {
      if (!until.aborted || error !== until.reason) throw error;
      throw context.cancelReason === undefined
        ? sessionBusy(TOO_LONG)
        : cancellationError(context.cancelReason);
    }
  }

  private async takeChatLock(tx: Tx, call: PredictionCall, context: CallContext): Promise<boolean> {
    if (!(await this.log.takeChatLock(tx, context, priceOf(call)))) return false;
    await this.pay(tx, [call]);
    return true;
  }

  private async pay(tx: Tx, calls: readonly PredictionCall[]): Promise<void> {
    const at = this.clock.now();
    await this.credit.chargeAll(
      tx,
      calls.map((call) => ({
        account: call.flow.account,
        amount: priceOf(call),
        executionId: call.apiCall.executionId,
        knowsAccount: call.seesFailures,
        at,
      })),
    );
  }

  /** Waits in this process's queue, then for the other processes. Rejects with the signal's reason. */
  private async untilTaken(
    { flowId, chatId }: Chat,
    place: Place,
    until: AbortSignal,
    take: () => Promise<boolean>,
  ): Promise<void> {
    const held = 'SELECT 1 AS held FROM executions WHERE flow_id = ? AND chat_id = ? AND holds_turn = 1';
    await happensBefore(until, place.atFront);
    while (!(await take())) {
      do await happensBefore(until, pause(this.locks.pollMs));
      while (await this.reader.one(held, [flowId, chatId]));
    }
  }
}

/** Returns the price of a call; 0 if its run is paid for. */
export const priceOf = (call: PredictionCall): number => (call.answers || call.paid ? 0 : call.flow.price);

const TOO_LONG = 'Another run of this chat did not end in time. Wait for its answer';

const draftOf = ({ flow, body }: PredictionCall): CallDraft => ({
  account: flow.account,
  question: body.question,
});

/** Write keys, without the chat if nobody else can know it yet. */
const touchedBy = (call: PredictionCall): WriteKey[] => [
  ...(call.body.chatId === undefined ? [] : [chatKey(call.flow.id, call.chatId)]),
  ...(priceOf(call) === 0 ? [] : [accountKey(call.flow.account)]),
];

/** Waits for an event. Rejects with the signal's reason once it is aborted. */
async function happensBefore(until: AbortSignal, event: Promise<void> | undefined): Promise<void> {
  until.throwIfAborted();
  let abort = (): void => undefined;
  const tooLate = new Promise<never>((_, reject) => {
    abort = () => reject(until.reason as Error);
    until.addEventListener('abort', abort, { once: true });
  });
  await Promise.race([event, tooLate]).finally(() => until.removeEventListener('abort', abort));
}
