import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { OutboxState } from '../../executions/outbox/outbox.js';

export type MailState = OutboxState;

/** A report on its way to its recipients: the durable outbox. Lists are JSON text. */
@Entity('report_mails')
@Index('report_mails_due', ['state', 'nextAttemptAt'])
@Index('report_mails_report', ['reportId'])
export class ReportMailEntity {
  @PrimaryColumn('text')
  id!: string;

  @Column('text', { name: 'report_id' })
  reportId!: string;

  @Column('text')
  recipients!: string;

  /** Those whose server has not taken the mail yet. */
  @Column('text')
  remaining!: string;

  @Column('text')
  subject!: string;

  @Column('text')
  body!: string;

  /** Stands in the mail instead of the attachment when that would be too large. */
  @Column('text', { nullable: true })
  link!: string | null;

  @Column('text')
  state!: MailState;

  @Column('integer')
  attempts!: number;

  @Column('bigint', { name: 'next_attempt_at' })
  nextAttemptAt!: number;

  @Column('text', { name: 'lease_process', nullable: true })
  leaseProcess!: string | null;

  @Column('bigint', { name: 'lease_until', nullable: true })
  leaseUntil!: number | null;

  @Column('text', { nullable: true })
  error!: string | null;

  /** Of a mail that could not be queued: stable and snake_case. */
  @Column('text', { nullable: true })
  code!: string | null;

  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  @Column('bigint', { name: 'sent_at', nullable: true })
  sentAt!: number | null;
}
