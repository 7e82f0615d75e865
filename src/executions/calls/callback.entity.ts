import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { OutboxState } from '../outbox/outbox.js';

/** The answer of an async run on its way to whoever asked to be called back. */
@Entity('callbacks')
@Index('callbacks_due', ['state', 'nextAttemptAt'])
@Index('callbacks_execution', ['executionId'])
export class CallbackEntity {
  /** The `webhook-id`, the same at each try. */
  @PrimaryColumn('text') id!: string;
  @Column('text', { name: 'execution_id' }) executionId!: string;
  @Column('text') url!: string;
  @Column('text', { name: 'credential_id' }) credentialId!: string;
  @Column('text') body!: string;
  @Column('text') state!: OutboxState;
  @Column('integer') attempts!: number;
  @Column('bigint', { name: 'next_attempt_at' }) nextAttemptAt!: number;
  @Column('text', { name: 'lease_process', nullable: true }) leaseProcess!: string | null;
  @Column('bigint', { name: 'lease_until', nullable: true }) leaseUntil!: number | null;
  @Column('text', { nullable: true }) error!: string | null;
  @Column('bigint', { name: 'created_at' }) createdAt!: number;
}
