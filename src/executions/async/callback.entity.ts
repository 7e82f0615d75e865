import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { OutboxState } from '../outbox/outbox.js';

/** An answer of an async run to be posted to its `callbackUrl`. */
@Entity('callbacks')
@Index('callbacks_due', ['state', 'nextAttemptAt'])
@Index('callbacks_execution', ['executionId'])
export class CallbackEntity {
  /** The `webhook-id`, the same at each attempt. */
  @PrimaryColumn('text') id!: string;
  @Column('text') executionId!: string;
  @Column('text') flowId!: string;
  /** The flow and the target host. */
  @Column('text') target!: string;
  @Column('text') url!: string;
  @Column('text') credentialId!: string;
  @Column('text') body!: string;
  @Column('text') state!: OutboxState;
  @Column('integer') attempts!: number;
  @Column('bigint') nextAttemptAt!: number;
  @Column('text', { nullable: true }) leaseProcess!: string | null;
  @Column('bigint', { nullable: true }) leaseUntil!: number | null;
  @Column('text', { nullable: true }) error!: string | null;
  @Column('bigint') createdAt!: number;
}
