import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A run that nobody waits for (contract section 3): what it was asked and, once it has ended, what it answered. */
@Entity('async_runs')
@Index('async_runs_token', ['tokenHash'], { unique: true })
@Index('async_runs_unfinished', ['createdAt'], { where: 'ended_at IS NULL' })
export class AsyncRunEntity {
  /** That of its execution. */
  @PrimaryColumn('text') id!: string;
  /** SHA-256 of the token in its address. */
  @Column('text') tokenHash!: string;
  /** The call in the store, until the run has ended. */
  @Column('text', { nullable: true }) requestKey!: string | null;
  @Column('text', { nullable: true }) callbackUrl!: string | null;
  /** The credential that the flow named to sign the callback with, when the call was taken. */
  @Column('text', { nullable: true }) credentialId!: string | null;
  /** `{ answer }` or `{ error }` as JSON. */
  @Column('text', { nullable: true }) answer!: string | null;
  @Column('bigint') createdAt!: number;
  @Column('bigint', { nullable: true }) endedAt!: number | null;
}
