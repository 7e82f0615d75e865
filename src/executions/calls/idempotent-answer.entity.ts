import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The stored answer of an `Idempotency-Key`; without `httpStatus` while the first call still runs. */
@Entity('idempotent_answers')
@Index('idempotent_answers_execution', ['executionId'])
@Index('idempotent_answers_created', ['createdAt'])
export class IdempotentAnswerEntity {
  @PrimaryColumn('text') scope!: string;
  @PrimaryColumn('text', { name: 'idempotency_key' }) key!: string;
  @Column('text') fingerprint!: string;
  @Column('text') executionId!: string;
  /** First execution of the run that the call resumes. */
  @Column('text', { nullable: true }) runId!: string | null;
  @Column('text', { nullable: true }) processId!: string | null;
  @Column('integer', { nullable: true }) httpStatus!: number | null;
  @Column('text', { nullable: true }) answer!: string | null;
  @Column('bigint') createdAt!: number;
}
