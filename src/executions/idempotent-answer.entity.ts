import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What was answered under an `Idempotency-Key`; without `httpStatus` while the first call still runs. */
@Entity('idempotent_answers')
@Index('idempotent_answers_execution', ['executionId'])
@Index('idempotent_answers_created', ['createdAt'])
export class IdempotentAnswerEntity {
  @PrimaryColumn('text') scope!: string;
  @PrimaryColumn('text', { name: 'idempotency_key' }) key!: string;
  @Column('text') fingerprint!: string;
  @Column('text', { name: 'execution_id' }) executionId!: string;
  /** The first execution of the run that the call goes on with. */
  @Column('text', { name: 'run_id', nullable: true }) runId!: string | null;
  @Column('text', { name: 'process_id', nullable: true }) processId!: string | null;
  @Column('integer', { name: 'http_status', nullable: true }) httpStatus!: number | null;
  @Column('text', { nullable: true }) answer!: string | null;
  @Column('bigint', { name: 'created_at' }) createdAt!: number;
}
