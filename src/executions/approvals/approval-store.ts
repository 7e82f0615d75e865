import { Injectable } from '@nestjs/common';
import type { FlowVersionName } from '../../api/flow-terms.js';
import { Clock } from '../../common/clock.js';
import { seal, unseal } from '../../common/secrets/sealed-text.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { EntityColumns } from '../../database/entity-columns.js';
import type { Tx } from '../../database/tx.js';
import { insertRows } from '../../database/writes/insert-rows.js';
import { versionNameOf } from '../execution.js';
import { ApprovalEntity } from './approval.entity.js';
import type { ApprovalRequest, Click, Decision, StoredSnapshot, RunApproval } from './approval.js';

interface NewApproval {
  approval: ApprovalRequest;
  sealed: string;
}

const columns = new EntityColumns(ApprovalEntity);
const added = columns.made<NewApproval>({
  id: ({ approval }) => approval.name,
  flowId: ({ approval }) => approval.flowId,
  chatId: ({ approval }) => approval.chatId,
  executionId: ({ approval }) => approval.executionId,
  runId: ({ approval }) => approval.runId,
  nodeId: ({ approval }) => approval.nodeId,
  nodeLabel: ({ approval }) => approval.nodeLabel,
  text: ({ approval }) => approval.text,
  action: ({ approval }) => JSON.stringify(approval.action),
  snapshot: ({ sealed }) => sealed,
  requestKey: ({ approval }) => approval.requestKey,
  askedAt: ({ approval }) => approval.askedAt,
  expiresAt: ({ approval }) => approval.expiresAt,
});

const KNOWN = [
  ...(['id', 'flowId', 'chatId', 'executionId', 'runId', 'expiresAt'] as const),
  ...(['decision', 'feedback', 'decidedAt', 'decidedBy'] as const),
] as const;
type KnownRow = Pick<ApprovalEntity, (typeof KNOWN)[number]>;
const FIND = `SELECT ${columns.selected(KNOWN)} FROM run_stops`;

/** Decides an approval: a conditional update, which succeeds for one caller only. */
const DECIDE = `UPDATE run_stops SET decision = ?, feedback = ?, decided_at = ?, decided_by = ?
  WHERE id = ? AND decision IS NULL AND expires_at > ?`;

/** Marks the waiting record as running without a process: the run continues under the record of the click. */
const RUNS_AGAIN = `UPDATE executions SET status = 'running', process_id = NULL, http_status = NULL, finished_at = NULL,
  duration_ms = NULL WHERE id = ? AND status = 'waiting'`;

/**
 * The approvals of runs. Each has the name given to its caller and is decided at most once over all processes (contract
 * section 11; README.md beside this file).
 */
@Injectable()
export class ApprovalStore {
  constructor(
    private readonly reader: DatabaseReader,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  /** Adds an approval in the transaction that ends its run as `waiting`. */
  async add(tx: Tx, approval: ApprovalRequest): Promise<void> {
    const sealed = seal(
      this.secrets.credentialsKey,
      JSON.stringify(approval.snapshot),
      sealName(approval.name),
    );
    await insertRows(tx, added.insert, '', [added.values({ approval, sealed })]);
  }

  /** Returns the approval of this chat with this name. */
  async findNamed(flowId: string, chatId: string, name: string): Promise<RunApproval | undefined> {
    const row = await this.reader.one<KnownRow>(`${FIND} WHERE id = ? AND flow_id = ? AND chat_id = ?`, [
      ...[name, flowId, chatId],
    ]);
    return row && approvalOf(row);
  }

  /** Returns the version of the flow that a run keeps. */
  async flowVersionOf(executionId: string): Promise<FlowVersionName | undefined> {
    const sql = 'SELECT flow_version AS version FROM executions WHERE id = ?';
    const row = await this.reader.one<{ version: string | null }>(sql, [executionId]);
    return row?.version == null ? undefined : versionNameOf(row.version);
  }

  /** Returns whether runs of this flow have asked a human, and their approvals are still stored. */
  async isAnyOf(flowId: string): Promise<boolean> {
    return (
      (await this.reader.one('SELECT 1 FROM run_stops WHERE flow_id = ? LIMIT 1', [flowId])) !== undefined
    );
  }

  /** Returns the approvals of a chat at this node, newest first. */
  async findAtNode(flowId: string, chatId: string, nodeId: string): Promise<RunApproval[]> {
    const rows = await this.reader.all<KnownRow>(
      `${FIND} WHERE flow_id = ? AND chat_id = ? AND node_id = ? ORDER BY asked_at DESC, id`,
      [flowId, chatId, nodeId],
    );
    return rows.map(approvalOf);
  }

  /** Returns the approval that the call of this execution decided. */
  async findDecidedBy(executionId: string, waiting: string): Promise<RunApproval | undefined> {
    const row = await this.reader.one<KnownRow>(`${FIND} WHERE execution_id = ? AND decided_by = ?`, [
      waiting,
      executionId,
    ]);
    return row && approvalOf(row);
  }

  /**
   * Decides the approval and marks the waiting record as running, in the transaction that opens the record of the
   * click. Returns false, with nothing written, if it was decided before or no longer exists.
   */
  async decide(
    tx: Tx,
    { name, executionId }: Pick<RunApproval, 'name' | 'executionId'>,
    click: Click,
  ): Promise<boolean> {
    const now = this.clock.now();
    const values = [click.type, click.feedback ?? null, now, click.executionId, name, now];
    if ((await tx.run(DECIDE, values)) !== 1) return false;
    if ((await tx.run(RUNS_AGAIN, [executionId])) === 1) return true;
    throw new Error(`The approval ${name} is open, but its record does not wait.`);
  }

  /** Returns the snapshot and call from which the run continues; undefined once it cannot. */
  async findSnapshot(name: string): Promise<StoredSnapshot | undefined> {
    const row = await this.reader.one<{ snapshot: string | null; requestKey: string | null }>(
      'SELECT snapshot, request_key AS "requestKey" FROM run_stops WHERE id = ?',
      [name],
    );
    if (!row || row.snapshot === null || row.requestKey === null) return undefined;
    const snapshot = unseal(this.secrets.credentialsKey, row.snapshot, sealName(name));
    return { snapshot: JSON.parse(snapshot) as unknown, requestKey: row.requestKey };
  }

  /** Clears the snapshot and call of an approval whose run now waits at its next one. */
  async clearSnapshot(tx: Tx, name: string): Promise<void> {
    await tx.run('UPDATE run_stops SET snapshot = NULL, request_key = NULL WHERE id = ?', [name]);
  }
}

const sealName = (name: string): string => `stop ${name}`;

function approvalOf({
  id: name,
  decision,
  feedback,
  decidedAt,
  decidedBy,
  ...approval
}: KnownRow): RunApproval {
  if (decision === null) return { name, ...approval };
  const made: Decision = {
    type: decision,
    at: decidedAt ?? 0,
    ...(feedback === null ? {} : { feedback }),
    ...(decidedBy === null ? {} : { by: decidedBy }),
  };
  return { name, ...approval, decision: made };
}
