import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A run whose caller does not wait (contract section 3): its call and, once it has ended, its answer. */
@Entity('async_runs')
@Index('async_runs_token', ['tokenHash'], { unique: true })
@Index('async_runs_unfinished', ['createdAt'], { where: 'ended_at IS NULL' })
export class AsyncRunEntity {
  /** Id of its execution. */
  @PrimaryColumn('text') id!: string;
  /** SHA-256 of the token in its address. */
  @Column('text') tokenHash!: string;
  /** Blob key of the call, until the run has ended. */
  @Column('text', { nullable: true }) requestKey!: string | null;
  @Column('text', { nullable: true }) callbackUrl!: string | null;
  /** Credential that the flow named for signing when the call was accepted. */
  @Column('text', { nullable: true }) credentialId!: string | null;
  /** `{ answer }` or `{ error }` as JSON. */
  @Column('text', { nullable: true }) answer!: string | null;
  @Column('bigint') createdAt!: number;
  @Column('bigint', { nullable: true }) endedAt!: number | null;
}
