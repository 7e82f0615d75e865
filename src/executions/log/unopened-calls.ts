import { Injectable } from '@nestjs/common';
import type { ExecutionKind } from '../../api/execution-terms.js';
import type { PresentedKey } from '../../api/executions.js';
import type { FlowVersionName } from '../../api/flow-terms.js';
import { Logger } from '../../common/logger.js';
import type { Tx } from '../../database/tx.js';
import { GroupWriter } from '../../database/writes/group-writer.js';
import { insertRows } from '../../database/writes/insert-rows.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import type { Caller, Outcome } from '../execution.js';
import { executionColumns } from './execution.entity.js';
import { recordText, shortText } from './recorded-value.js';
import { chatDigits } from './telephone-digits.js';

/** A call that ended without opening a record: refused, replayed, or abandoned by its caller. */
export interface UnopenedCall {
  id: string;
  kind: ExecutionKind;
  status: Outcome['status'];
  /** `null` if the caller left before an answer. */
  httpStatus: number | null;
  code?: string;
  error?: string;
  flowId?: string;
  flowName?: string;
  flowVersion?: FlowVersionName;
  account?: string;
  chatId?: string;
  question?: string;
  caller: Caller;
  presentedKey?: PresentedKey;
  replayOf?: string;
  startedAt: number;
  finishedAt: number;
}

const MOST_QUESTION_BYTES = 1024;

/** About 30 MB; reached only if the database hangs for seconds during a flood. */
const MOST_PENDING = 20_000;

/** Compact rows of calls that never ran, written in groups so that refusing stays cheap. */
@Injectable()
export class UnopenedCalls {
  private readonly group: GroupWriter<UnopenedCall>;

  constructor(gate: WriteGate, logger: Logger) {
    this.group = new GroupWriter({
      name: 'refused calls',
      mostPending: MOST_PENDING,
      write: (calls) => gate.write((tx) => insertCalls(tx, calls), []),
      logger,
    });
  }

  add(call: UnopenedCall): void {
    this.group.add(call.id, call);
  }

  close(): Promise<void> {
    return this.group.close();
  }

  flush(): Promise<void> {
    return this.group.flush();
  }
}

/** Adds what is missing to an existing row: texts and key may be read after it was written. */
const ADD_TEXTS = `ON CONFLICT (id) DO UPDATE SET
  flow_id = COALESCE(executions.flow_id, excluded.flow_id), chat_id = COALESCE(executions.chat_id, excluded.chat_id),
  chat_digits = COALESCE(executions.chat_digits, excluded.chat_digits),
  question = COALESCE(executions.question, excluded.question),
  presented_key = COALESCE(executions.presented_key, excluded.presented_key) WHERE executions.status = 'rejected'`;

const insertCalls = (tx: Tx, calls: readonly UnopenedCall[]): Promise<unknown> =>
  insertRows(
    tx,
    unopened.insert,
    ADD_TEXTS,
    calls.map((call) => unopened.values(call)),
  );

/** Truncates everything chosen by the caller: a flood of refused calls must stay small on disk. */
const unopened = executionColumns.made<UnopenedCall>({
  id: (call) => call.id,
  kind: (call) => call.kind,
  flowId: (call) => shortText(call.flowId, 256),
  flowName: (call) => shortText(call.flowName, 200),
  flowVersion: (call) => call.flowVersion?.toString(),
  chatId: (call) => shortText(call.chatId, 256),
  chatDigits: (call) => chatDigits(call.chatId),
  account: (call) => call.account,
  status: (call) => call.status,
  httpStatus: (call) => call.httpStatus,
  code: (call) => call.code,
  error: (call) => shortText(call.error, 500),
  startedAt: (call) => call.startedAt,
  finishedAt: (call) => call.finishedAt,
  durationMs: (call) => Math.max(0, call.finishedAt - call.startedAt),
  callerAddress: (call) => call.caller.address,
  callerApiKeyId: (call) => call.caller.apiKeyId,
  callerOrigin: (call) => shortText(call.caller.origin, 200),
  question: ({ question }) =>
    question === undefined
      ? null
      : beginningOf(recordText(question.slice(0, 2 * MOST_QUESTION_BYTES))!, MOST_QUESTION_BYTES),
  presentedKey: ({ presentedKey }) => presentedKey && JSON.stringify(presentedKey),
  replayOf: (call) => call.replayOf,
});

/** Returns the longest beginning within `mostBytes` that cuts no character. */
function beginningOf(text: string, mostBytes: number): string {
  if (Buffer.byteLength(text.slice(0, mostBytes)) <= mostBytes) return text.slice(0, mostBytes);
  const bytes = Buffer.from(text.slice(0, mostBytes)).subarray(0, mostBytes);
  return new TextDecoder().decode(bytes, { stream: true });
}
