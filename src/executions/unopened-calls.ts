import { Injectable } from '@nestjs/common';
import { Logger } from '../common/logger.js';
import type { SqlValue, Tx } from '../database/tx.js';
import { WriteGate } from '../database/write-gate.js';
import type { Caller, ExecutionKind } from './execution.js';
import { GroupWriter } from './group-writer.js';
import { insertRows } from '../database/insert-rows.js';
import { recordText, shortText } from './recorded-value.js';

/** A call that was over before it opened a record: refused, replayed, or hung up on. */
export interface UnopenedCall {
  id: string;
  kind: ExecutionKind;
  status: 'rejected' | 'succeeded' | 'failed';
  /** `null` when the caller hung up before an answer. */
  httpStatus: number | null;
  code?: string;
  error?: string;
  flowId?: string;
  flowName?: string;
  chatId?: string;
  question?: string;
  caller: Caller;
  replayOf?: string;
  startedAt: number;
  finishedAt: number;
}

const COLUMNS = `id, kind, flow_id, flow_name, chat_id, status, http_status, code, error, started_at, finished_at,
  duration_ms, caller_address, caller_api_key_id, caller_origin, question, replay_of`;

/** About 10 MB; the database would have to stand still for seconds under a flood. */
const MOST_PENDING = 20_000;

/** The compact rows of calls that never ran, written in groups so that refusing stays cheap. */
@Injectable()
export class UnopenedCalls {
  private readonly group: GroupWriter<UnopenedCall>;

  constructor(gate: WriteGate, logger: Logger) {
    this.group = new GroupWriter({
      name: 'refused calls',
      mostPending: MOST_PENDING,
      write: (calls) => gate.write((tx) => insertCalls(tx, calls)),
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

const insertCalls = (tx: Tx, calls: readonly UnopenedCall[]): Promise<unknown> =>
  insertRows(tx, `INSERT INTO executions (${COLUMNS}) VALUES`, 'ON CONFLICT DO NOTHING', calls.map(valuesOf));

/** Everything that a caller chose freely is shortened: a flood of refused calls must stay small on disk too. */
function valuesOf(call: UnopenedCall): SqlValue[] {
  return [
    call.id,
    call.kind,
    shortText(call.flowId, 64),
    shortText(call.flowName, 200),
    shortText(call.chatId, 256),
    call.status,
    call.httpStatus,
    call.code ?? null,
    shortText(call.error, 500),
    call.startedAt,
    call.finishedAt,
    call.finishedAt - call.startedAt,
    call.caller.address,
    call.caller.apiKeyId ?? null,
    shortText(call.caller.origin, 200),
    call.question === undefined ? null : recordText(call.question.slice(0, 500)),
    call.replayOf ?? null,
  ];
}
