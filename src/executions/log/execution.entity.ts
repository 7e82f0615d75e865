import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ExecutionKind, ExecutionStatus } from '../../api/execution-terms.js';
import { EntityColumns } from '../../database/entity-columns.js';

/** A row of the execution log. Instants are epoch milliseconds. */
@Entity('executions')
@Index('executions_turn', ['flowId', 'chatId'], { unique: true, where: 'holds_turn = 1' })
@Index('executions_running', ['processId'], { where: `status = 'running'` })
@Index('executions_run', ['runId'], { where: 'run_id IS NOT NULL' })
@Index('executions_resumes', ['resumes'], { where: 'resumes IS NOT NULL' })
@Index('executions_chat', ['chatId', 'id'])
@Index('executions_chat_digits', ['chatDigits', 'id'], { where: 'chat_digits IS NOT NULL' })
@Index('executions_flow', ['flowId', 'id'])
@Index('executions_kind', ['kind', 'id'])
@Index('executions_status', ['status', 'id'])
@Index('executions_http_status', ['httpStatus', 'id'], { where: 'http_status IS NOT NULL' })
@Index('executions_code', ['code', 'id'], { where: 'code IS NOT NULL' })
export class ExecutionEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') kind!: ExecutionKind;
  @Column('text', { nullable: true }) flowId!: string | null;
  @Column('text', { nullable: true }) flowName!: string | null;
  /** Number of the version, or `draft`. */
  @Column('text', { nullable: true }) flowVersion!: string | null;
  @Column('text', { nullable: true }) chatId!: string | null;
  /** Last nine digits of the chat's id if that is a telephone number; the same in all its spellings. */
  @Column('text', { nullable: true }) chatDigits!: string | null;
  @Column('text', { nullable: true }) account!: string | null;
  @Column('text') status!: ExecutionStatus;
  @Column('integer', { nullable: true }) httpStatus!: number | null;
  @Column('text', { nullable: true }) code!: string | null;
  @Column('text', { nullable: true }) error!: string | null;
  @Column('bigint') startedAt!: number;
  @Column('bigint', { nullable: true }) finishedAt!: number | null;
  @Column('bigint', { nullable: true }) durationMs!: number | null;
  @Column('bigint', { nullable: true }) firstTokenMs!: number | null;
  /** Credits charged; `refunded` of them were given back. */
  @Column('bigint', { default: 0 }) credits!: number;
  @Column('bigint', { default: 0 }) refunded!: number;
  @Column('bigint', { nullable: true }) inputTokens!: number | null;
  @Column('bigint', { nullable: true }) outputTokens!: number | null;
  @Column('text', { nullable: true }) callerAddress!: string | null;
  @Column('text', { nullable: true }) callerApiKeyId!: string | null;
  @Column('text', { nullable: true }) callerOrigin!: string | null;
  /** JSON of the service's key that a call answered with 401 presented; null if it presented none. */
  @Column('text', { nullable: true }) presentedKey!: string | null;
  @Column('text', { nullable: true }) failedNodeId!: string | null;
  @Column('text', { nullable: true }) failedNodeLabel!: string | null;
  @Column('text', { nullable: true }) question!: string | null;
  @Column('text', { nullable: true }) answer!: string | null;
  /** Execution whose stored answer was replayed. */
  @Column('text', { nullable: true }) replayOf!: string | null;
  /** Waiting execution that this call's human answer resumed. */
  @Column('text', { nullable: true }) resumes!: string | null;
  /** Earlier execution under the same `Idempotency-Key`. */
  @Column('text', { nullable: true }) retryOf!: string | null;
  /** First execution of the run that this one continues. */
  @Column('text', { nullable: true }) runId!: string | null;
  /** Fencing token: rises with each takeover; only the latest attempt may write. */
  @Column('integer', { default: 1 }) attempt!: number;
  /** Processes that died while running it, not counting those in which it only waited. */
  @Column('integer', { default: 0 }) processDeaths!: number;
  /** 1 if any living process takes it over when its own ends. */
  @Column('integer', { default: 0 }) outlivesProcess!: number;
  /** The process that runs or ran it; empty after a handover. */
  @Column('text', { nullable: true }) processId!: string | null;
  /** 1 while the execution holds its chat's lock. */
  @Column('integer', { nullable: true }) holdsTurn!: number | null;
  /** 1 once an admin requested its cancellation in any process. */
  @Column('integer', { default: 0 }) cancelRequested!: number;
  /** Node runs written with its end, `[runId, position, data]` each; others have their own rows. */
  @Column('text', { nullable: true }) trace!: string | null;
}

export const executionColumns = new EntityColumns(ExecutionEntity);
