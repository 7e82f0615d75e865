import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A row of the execution log. Instants are epoch milliseconds. */
@Entity('executions')
@Index('executions_turn', ['flowId', 'chatId'], { unique: true, where: 'holds_turn = 1' })
@Index('executions_running', ['processId'], { where: `status = 'running'` })
@Index('executions_run', ['runId'], { where: 'run_id IS NOT NULL' })
@Index('executions_chat', ['chatId', 'id'])
@Index('executions_chat_digits', ['chatDigits', 'id'], { where: 'chat_digits IS NOT NULL' })
@Index('executions_flow', ['flowId', 'id'])
@Index('executions_kind', ['kind', 'id'])
@Index('executions_status', ['status', 'id'])
@Index('executions_http_status', ['httpStatus', 'id'], { where: 'http_status IS NOT NULL' })
export class ExecutionEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') kind!: string;
  @Column('text', { name: 'flow_id', nullable: true }) flowId!: string | null;
  @Column('text', { name: 'flow_name', nullable: true }) flowName!: string | null;
  @Column('text', { name: 'chat_id', nullable: true }) chatId!: string | null;
  /** The last nine digits of a telephone number that is the chat's id: what its spellings have in common. */
  @Column('text', { name: 'chat_digits', nullable: true }) chatDigits!: string | null;
  @Column('text', { nullable: true }) account!: string | null;
  @Column('text') status!: string;
  @Column('integer', { name: 'http_status', nullable: true }) httpStatus!: number | null;
  @Column('text', { nullable: true }) code!: string | null;
  @Column('text', { nullable: true }) error!: string | null;
  @Column('bigint', { name: 'started_at' }) startedAt!: number;
  @Column('bigint', { name: 'finished_at', nullable: true }) finishedAt!: number | null;
  @Column('bigint', { name: 'duration_ms', nullable: true }) durationMs!: number | null;
  @Column('bigint', { name: 'first_token_ms', nullable: true }) firstTokenMs!: number | null;
  /** As charged; `refunded` of them were given back. */
  @Column('bigint', { default: 0 }) credits!: number;
  @Column('bigint', { default: 0 }) refunded!: number;
  @Column('bigint', { name: 'input_tokens', nullable: true }) inputTokens!: number | null;
  @Column('bigint', { name: 'output_tokens', nullable: true }) outputTokens!: number | null;
  @Column('text', { name: 'caller_address', nullable: true }) callerAddress!: string | null;
  @Column('text', { name: 'caller_api_key_id', nullable: true }) callerApiKeyId!: string | null;
  @Column('text', { name: 'caller_origin', nullable: true }) callerOrigin!: string | null;
  @Column('text', { name: 'failed_node_id', nullable: true }) failedNodeId!: string | null;
  @Column('text', { name: 'failed_node_label', nullable: true }) failedNodeLabel!: string | null;
  @Column('text', { nullable: true }) question!: string | null;
  @Column('text', { nullable: true }) answer!: string | null;
  /** The execution whose kept answer this call was given. */
  @Column('text', { name: 'replay_of', nullable: true }) replayOf!: string | null;
  /** The waiting execution that this call's human answer resumed. */
  @Column('text', { nullable: true }) resumes!: string | null;
  /** The execution whose `Idempotency-Key` this call was sent again under. */
  @Column('text', { name: 'retry_of', nullable: true }) retryOf!: string | null;
  /** The first execution of the run that this one goes on with. */
  @Column('text', { name: 'run_id', nullable: true }) runId!: string | null;
  /** Rises when another process goes on with it: only the latest attempt may write. */
  @Column('integer', { default: 1 }) attempt!: number;
  /** 1 for a run that any living process goes on with when its own ends. */
  @Column('integer', { name: 'outlives_process', default: 0 }) outlivesProcess!: number;
  /** The process that runs or ran it; empty while a stopped one has handed it over. */
  @Column('text', { name: 'process_id', nullable: true }) processId!: string | null;
  /** 1 while the execution holds its chat's turn. */
  @Column('integer', { name: 'holds_turn', nullable: true }) holdsTurn!: number | null;
  /** 1 once an admin asked, perhaps through another process, that it stop. */
  @Column('integer', { name: 'cancel_requested', default: 0 }) cancelRequested!: number;
}
