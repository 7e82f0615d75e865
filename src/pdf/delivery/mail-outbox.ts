import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { v7 as uuidV7 } from 'uuid';
import { AppConfig } from '../../common/app-config.js';
import { Clock, isoTime } from '../../common/clock.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { Tx } from '../../database/tx.js';
import { Outbox, OutboxRooms } from '../../executions/outbox/outbox.js';
import type { Attached, Delivery, MailFaultCode, MailState } from '../vault/report-vault.js';
import { attachableBytes, mailBytes, waitAfter } from './mail-rules.js';
import { ReportMailEntity } from './report-mail.entity.js';

/** `delivery.email` of a render, checked. */
export interface MailOrder {
  to: string[];
  subject?: string;
  text?: string;
}

/** Why the mail of a report fails before the first attempt: a link is needed and there is nothing to make one from. */
export interface MailFault {
  code: MailFaultCode;
  message: string;
}

/** A mail edition: the same report with smaller pictures, made so that it can be attached. */
export interface MailFile extends Attached {
  readonly key: string;
}

/** The report of a mail, as far as the outbox needs it. */
export interface QueuedReport {
  id: string;
  filename: string;
  bytes: number;
}

/** A mail that this process has leased. */
export interface DueMail {
  id: string;
  reportId: string;
  recipients: string[];
  remaining: string[];
  subject: string;
  body: string;
  link: string | null;
  /** Of a mail edition. */
  fileKey: string | null;
  attempts: number;
  row: ReportMailEntity;
}

/** The result of an attempt: the recipients that the server refused for now, and those that it refused finally. */
export interface Attempt {
  remaining: string[];
  refused: string[];
  error?: string;
}

/**
 * Mails that must go out, kept in the database from the transaction that settles the render until the recipients'
 * servers have taken them or every attempt is spent. Over all processes only the holder of its lease sends a mail.
 */
@Injectable()
export class MailOutbox {
  private readonly mails: Outbox<ReportMailEntity>;

  constructor(
    rooms: OutboxRooms,
    private readonly reader: DatabaseReader,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {
    this.mails = new Outbox(ReportMailEntity, rooms);
  }

  /** Whether the mail would carry a link, because the attachment would pass `MAIL_MAX_MB`. */
  needsLink(report: QueuedReport, order: MailOrder): boolean {
    return mailBytes(report.bytes, textOf(report, order)) > this.config.maxMailBytes;
  }

  /** The largest mail edition of the report that could be attached. */
  attachableBytes(report: QueuedReport, order: MailOrder): number {
    return attachableBytes(this.config.maxMailBytes, textOf(report, order, SMALLER));
  }

  /**
   * Queues the report's mail in the settling transaction: with the attachment, or with a link in its place. One that
   * cannot be sent is noted as failed.
   */
  async queue(
    tx: Tx,
    report: QueuedReport,
    order: MailOrder,
    by: 'attachment' | { file: MailFile } | { link: string } | MailFault,
  ): Promise<Delivery> {
    const file = typeof by === 'object' && 'file' in by ? by.file : null;
    const url = typeof by === 'object' && 'link' in by ? by.link : null;
    const fault = typeof by === 'object' && 'code' in by ? by : null;
    const now = this.clock.now();
    const mail: ReportMailEntity = {
      id: uuidV7({ msecs: now }),
      reportId: report.id,
      recipients: JSON.stringify(order.to),
      remaining: JSON.stringify(order.to),
      subject: oneLine(order.subject ?? `Inspection report ${report.filename.replace(/\.pdf$/, '')}`),
      body:
        url === null
          ? textOf(report, order, file ? SMALLER : '')
          : withLink(order.text, report.filename, url),
      link: url,
      storageKey: file?.key ?? null,
      attached: file && JSON.stringify(attachedOf(file)),
      state: fault === null ? 'queued' : 'failed',
      code: fault?.code ?? null,
      error: fault?.message ?? null,
      attempts: 0,
      ...{ nextAttemptAt: now, leaseProcess: null, leaseUntil: null },
      ...{ createdAt: now, sentAt: null },
    };
    await tx.repository(ReportMailEntity).insert(mail);
    return deliveryOf(mail);
  }

  /** Leases the mail that waits longest, if one is due. */
  async take(): Promise<DueMail | undefined> {
    const row = await this.mails.take();
    return row && dueMail(row);
  }

  /** Ends an attempt: sent, to be retried later, or given up. */
  async finish({ row, attempts }: DueMail, { remaining, refused, error }: Attempt): Promise<MailState> {
    const waitMs = waitAfter(attempts);
    const again = remaining.length > 0 && waitMs !== undefined;
    const lost = [...refused, ...(again ? [] : remaining)];
    const state = again ? 'queued' : lost.length > 0 ? 'failed' : 'sent';
    await this.mails.finish(row, {
      state,
      ...(waitMs === undefined ? {} : { waitMs }),
      ...(error === undefined ? {} : { error }),
      more: {
        remaining: JSON.stringify(again ? remaining : lost),
        sentAt: state === 'sent' ? this.clock.now() : null,
      },
    });
    return state;
  }

  /** The delivery of each of these reports that has one. */
  async ofReports(reportIds: readonly string[]): Promise<Map<string, Delivery>> {
    if (reportIds.length === 0) return new Map();
    const rows = await this.reader.repository(ReportMailEntity).find({
      where: { reportId: In(reportIds) },
      order: { id: 'ASC' },
    });
    return new Map(rows.map((row) => [row.reportId, deliveryOf(row)]));
  }
}

const attachedOf = ({ bytes, sha256, reducedTo }: MailFile): Attached => ({ bytes, sha256, reducedTo });

const SMALLER = '\nIts pictures are smaller than in the report that is kept, so that it could be attached.';

const textOf = (report: QueuedReport, { text }: MailOrder, more = ''): string =>
  text ?? `The inspection report is attached: ${report.filename}${more}`;

/** No character that could end a header line; mail programs would not show the others. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').slice(0, 500);

function withLink(text: string | undefined, filename: string, url: string): string {
  const note = `The report ${filename} is too large to attach. Download it here; the link expires:\n${url}\n`;
  return text === undefined ? note : `${text}\n\n${note}`;
}

const dueMail = (row: ReportMailEntity): DueMail => ({
  row,
  id: row.id,
  reportId: row.reportId,
  recipients: JSON.parse(row.recipients) as string[],
  remaining: JSON.parse(row.remaining) as string[],
  subject: row.subject,
  body: row.body,
  link: row.link,
  fileKey: row.storageKey,
  attempts: row.attempts,
});

const deliveryOf = (row: ReportMailEntity): Delivery => ({
  email: {
    to: JSON.parse(row.recipients) as string[],
    status: row.state,
    as: row.link === null && row.code === null ? 'attachment' : 'link',
    attempts: row.attempts,
    ...(row.attached === null ? {} : { attached: JSON.parse(row.attached) as Attached }),
    ...(row.code === null ? {} : { code: row.code }),
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.sentAt === null ? {} : { sentAt: isoTime(row.sentAt) }),
  },
});
