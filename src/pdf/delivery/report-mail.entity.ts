import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { MailFaultCode, MailState } from '../vault/report-vault.js';

/** A report on its way to its recipients: the durable outbox. Lists are JSON text. */
@Entity('report_mails')
@Index('report_mails_due', ['state', 'nextAttemptAt'])
@Index('report_mails_report', ['reportId'])
export class ReportMailEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') reportId!: string;
  @Column('text') recipients!: string;
  /** Those whose server has not taken the mail yet. */
  @Column('text') remaining!: string;
  @Column('text') subject!: string;
  @Column('text') body!: string;
  /** Stands in the mail instead of the attachment when that would be too large. */
  @Column('text', { nullable: true }) link!: string | null;
  /** The file of a mail edition, which is attached in the place of the report's own. */
  @Column('text', { nullable: true }) storageKey!: string | null;
  /** JSON of that file: bytes, hash, size of its pictures. */
  @Column('text', { nullable: true }) attached!: string | null;
  @Column('text') state!: MailState;
  @Column('integer') attempts!: number;
  @Column('bigint') nextAttemptAt!: number;
  @Column('text', { nullable: true }) leaseProcess!: string | null;
  @Column('bigint', { nullable: true }) leaseUntil!: number | null;
  @Column('text', { nullable: true }) error!: string | null;
  /** Of a mail that could not be queued: stable and snake_case. */
  @Column('text', { nullable: true }) code!: MailFaultCode | null;
  @Column('bigint') createdAt!: number;
  @Column('bigint', { nullable: true }) sentAt!: number | null;
}
