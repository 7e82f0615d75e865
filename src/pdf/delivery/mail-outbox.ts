import { Injectable } from '@nestjs/common';
import { v7 as uuidV7 } from 'uuid';
import { AppConfig } from '../../common/app-config.js';
import { Clock, isoTime } from '../../common/clock.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { Tx } from '../../database/tx.js';
import { Outbox, OutboxRooms, type OutboxRow } from '../../executions/outbox/outbox.js';
import { mailBytes, waitAfter } from './mail-rules.js';
import type { MailState } from './report-mail.entity.js';

/** `delivery.email` of a render, checked. */
export interface MailOrder {
  to: string[];
  subject?: string;
  text?: string;
}

/** Why the mail of a report fails before the first attempt: a link is needed and there is nothing to make one from. */
export interface MailFault {
  code: 'public_url_not_configured';
  message: string;
}

/** How a report is sent, as the render's answer and the report's status tell it. */
export interface Delivery {
  email: {
    to: string[];
    status: MailState;
    /** The PDF itself, or a link that expires when the mail would have passed `MAIL_MAX_MB`. */
    as: 'attachment' | 'link';
    attempts: number;
    /** Why no attempt was made at all. */
    code?: MailFault['code'];
    error?: string;
    sentAt?: string;
  };
}

/** What the outbox must know of a report. */
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
  attempts: number;
  row: OutboxRow;
}

/** What an attempt came to: whom the server refused for now, and whom for good. */
export interface Attempt {
  remaining: string[];
  refused: string[];
  error?: string;
}

interface MailRow extends OutboxRow {
  report_id: string;
  recipients: string;
  remaining: string;
  subject: string;
  body: string;
  link: string | null;
  code: MailFault['code'] | null;
  sent_at: number | null;
}

/**
 * Mails that must go out, kept in the database from the transaction that settles the render until the recipients'
 * servers have taken them or every attempt is spent. Over all processes a mail is in one pair of hands at a time.
 */
@Injectable()
export class MailOutbox {
  private readonly mails: Outbox<MailRow>;

  constructor(
    rooms: OutboxRooms,
    private readonly reader: DatabaseReader,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {
    this.mails = new Outbox('report_mails', rooms);
  }

  /** Whether the mail would carry a link, because the attachment would pass `MAIL_MAX_MB`. */
  needsLink(report: QueuedReport, order: MailOrder): boolean {
    return mailBytes(report.bytes, textOf(report, order)) > this.config.maxMailBytes;
  }

  /**
   * Queues the report's mail in the settling transaction: with the attachment, or with a link in its place. One that
   * cannot be sent is noted as failed.
   */
  async queue(
    tx: Tx,
    report: QueuedReport,
    order: MailOrder,
    by: 'attachment' | { link: string } | MailFault,
  ): Promise<Delivery> {
    const url = typeof by === 'object' && 'link' in by ? by.link : null;
    const fault = typeof by === 'object' && 'code' in by ? by : null;
    const now = this.clock.now();
    const values = [
      uuidV7({ msecs: now }),
      report.id,
      JSON.stringify(order.to),
      JSON.stringify(order.to),
      oneLine(order.subject ?? `Inspection report ${report.filename.replace(/\.pdf$/, '')}`),
      url === null ? textOf(report, order) : withLink(order.text, report.filename, url),
      url,
      fault === null ? 'queued' : 'failed',
      fault?.code ?? null,
      fault?.message ?? null,
    ];
    const row = await tx.one<MailRow>(
      `INSERT INTO report_mails (id, report_id, recipients, remaining, subject, body, link, state, code, error, attempts,
         next_attempt_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?) RETURNING *`,
      [...values, now, now],
    );
    return deliveryOf(row!);
  }

  /** Leases the mail that waits longest, if one is due. */
  async take(): Promise<DueMail | undefined> {
    const row = await this.mails.take();
    return row && dueMail(row);
  }

  /** Ends an attempt: sent, to be tried again later, or given up. */
  async finish({ row, attempts }: DueMail, { remaining, refused, error }: Attempt): Promise<MailState> {
    const waitMs = waitAfter(attempts);
    const again = remaining.length > 0 && waitMs !== undefined;
    const lost = [...refused, ...(again ? [] : remaining)];
    const state = again ? 'queued' : lost.length > 0 ? 'failed' : 'sent';
    await this.mails.finish(row, {
      state,
      ...(waitMs === undefined ? {} : { waitMs }),
      ...(error === undefined ? {} : { error }),
      columns: {
        remaining: JSON.stringify(again ? remaining : lost),
        sent_at: state === 'sent' ? this.clock.now() : null,
      },
    });
    return state;
  }

  /** The delivery of each of these reports that has one. */
  async ofReports(reportIds: readonly string[]): Promise<Map<string, Delivery>> {
    if (reportIds.length === 0) return new Map();
    const rows = await this.reader.all<MailRow>(
      `SELECT * FROM report_mails WHERE report_id IN (${reportIds.map(() => '?').join(', ')}) ORDER BY id`,
      reportIds,
    );
    return new Map(rows.map((row) => [row.report_id, deliveryOf(row)]));
  }
}

const textOf = (report: QueuedReport, { text }: MailOrder): string =>
  text ?? `The inspection report is attached: ${report.filename}`;

/** No character that could end a header line; mail programs would not show the others. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').slice(0, 500);

function withLink(text: string | undefined, filename: string, url: string): string {
  const note = `The report ${filename} is too large to attach. Download it here; the link expires:\n${url}\n`;
  return text === undefined ? note : `${text}\n\n${note}`;
}

const dueMail = (row: MailRow): DueMail => ({
  row,
  id: row.id,
  reportId: row.report_id,
  recipients: JSON.parse(row.recipients) as string[],
  remaining: JSON.parse(row.remaining) as string[],
  subject: row.subject,
  body: row.body,
  link: row.link,
  attempts: row.attempts,
});

const deliveryOf = (row: MailRow): Delivery => ({
  email: {
    to: JSON.parse(row.recipients) as string[],
    status: row.state,
    as: row.link === null && row.code === null ? 'attachment' : 'link',
    attempts: row.attempts,
    ...(row.code === null ? {} : { code: row.code }),
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.sent_at === null ? {} : { sentAt: isoTime(row.sent_at) }),
  },
});
