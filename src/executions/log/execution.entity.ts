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
export class ExecutionEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') kind!: ExecutionKind;
  @Column('text', { nullable: true }) flowId!: string | null;
  @Column('text', { nullable: true }) flowName!: string | null;
  @Column('text', { nullable: true }) chatId!: string | null;
  /** The last nine digits of a telephone number that is the chat's id: what its spellings have in common. */
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
  /** As charged; `refunded` of them were given back. */
  @Column('bigint', { default: 0 }) credits!: number;
  @Column('bigint', { default: 0 }) refunded!: number;
  @Column('bigint', { nullable: true }) inputTokens!: number | null;
  @Column('bigint', { nullable: true }) outputTokens!: number | null;
  @Column('text', { nullable: true }) callerAddress!: string | null;
  @Column('text', { nullable: true }) callerApiKeyId!: string | null;
  @Column('text', { nullable: true }) callerOrigin!: string | null;
  @Column('text', { nullable: true }) failedNodeId!: string | null;
  @Column('text', { nullable: true }) failedNodeLabel!: string | null;
  @Column('text', { nullable: true }) question!: string | null;
  @Column('text', { nullable: true }) answer!: string | null;
  /** The execution whose kept answer this call was given. */
  @Column('text', { nullable: true }) replayOf!: string | null;
  /** The waiting execution that this call's human answer resumed. */
  @Column('text', { nullable: true }) resumes!: string | null;
  /** The execution whose `Idempotency-Key` this call was sent again under. */
  @Column('text', { nullable: true }) retryOf!: string | null;
  /** The first execution of the run that this one continues. */
  @Column('text', { nullable: true }) runId!: string | null;
  /** The fencing token: rises when another process takes the run over; only the latest attempt may write. */
  @Column('integer', { default: 1 }) attempt!: number;
  /** Processes that died while they ran it, and did not merely hold it in the queue of its chat. */
  @Column('integer', { default: 0 }) processDeaths!: number;
  /** 1 for a run that any living process takes over when its own ends. */
  @Column('integer', { default: 0 }) outlivesProcess!: number;
  /** The process that runs or ran it; empty while a stopped one has handed it over. */
  @Column('text', { nullable: true }) processId!: string | null;
  /** 1 while the execution holds its chat's turn. */
  @Column('integer', { nullable: true }) holdsTurn!: number | null;
  /** 1 once an admin asked, perhaps through another process, that it stop. */
  @Column('integer', { default: 0 }) cancelRequested!: number;
  /** The node runs that were written with its end, `[runId, position, data]` each; the others have rows of their own. */
  @Column('text', { nullable: true }) trace!: string | null;
}

export const executionColumns = new EntityColumns(ExecutionEntity);
