import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { MailFaultCode, MailState } from '../vault/report-vault.js';

/** A mail of the outbox, with its report. Lists are JSON text. */
@Entity('report_mails')
@Index('report_mails_due', ['state', 'nextAttemptAt'])
@Index('report_mails_report', ['reportId'])
export class ReportMailEntity {
  @PrimaryColumn('text') id!: string;
  @Column('text') reportId!: string;
  @Column('text') recipients!: string;
  /** The recipients whose server has not accepted the mail yet. */
  @Column('text') remaining!: string;
  /** The recipients that the mail server refused for good. */
  @Column('text') refused!: string;
  @Column('text') subject!: string;
  @Column('text') body!: string;
  /** The link that replaces an attachment that would be too large. */
  @Column('text', { nullable: true }) link!: string | null;
  /** The file of a mail edition, which is attached instead of the report's own. */
  @Column('text', { nullable: true }) storageKey!: string | null;
  /** JSON of that file: bytes, hash, size of its pictures. */
  @Column('text', { nullable: true }) attached!: string | null;
  @Column('text') state!: MailState;
  @Column('integer') attempts!: number;
  @Column('bigint') nextAttemptAt!: number;
  @Column('text', { nullable: true }) leaseProcess!: string | null;
  @Column('bigint', { nullable: true }) leaseUntil!: number | null;
  @Column('text', { nullable: true }) error!: string | null;
  /** The stable code of a mail that could not be queued. */
  @Column('text', { nullable: true }) code!: MailFaultCode | null;
  @Column('bigint') createdAt!: number;
  @Column('bigint', { nullable: true }) sentAt!: number | null;
}
