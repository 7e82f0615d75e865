import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { v7 as uuidV7 } from 'uuid';
import type { Delivery } from '../../api/reports.js';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { isoTime } from '../../common/iso-time.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { Tx } from '../../database/tx.js';
import { Outbox, OutboxRooms } from '../../executions/outbox/outbox.js';
import { ukStamp } from '../../inspection/report/uk-time.js';
import type { Attached, MailFaultCode, MailState } from '../vault/report-vault.js';
import { attachableBytes, mailBytes, waitAfter } from './mail-rules.js';
import { ReportMailEntity } from './report-mail.entity.js';

/** The checked `delivery.email` of a render. */
export interface MailOrder {
  to: string[];
  subject?: string;
  text?: string;
}

/** The reason why a mail fails before the first attempt: it needs a link, and `PUBLIC_URL` is not set. */
export interface MailFault {
  code: MailFaultCode;
  message: string;
}

/** A mail edition: the same report with smaller pictures, so that it can be attached. */
export interface MailFile extends Attached {
  readonly key: string;
}

/** The members of a report that the outbox needs. */
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
  /** The file of a mail edition, which is attached instead of the report's own. */
  file: Pick<MailFile, 'key' | 'sha256'> | null;
  attempts: number;
  row: ReportMailEntity;
}

/** The result of an attempt: the recipients that the server refused temporarily, and those that it refused finally. */
export interface Attempt {
  remaining: string[];
  refused: string[];
  error?: string;
}

/**
 * The outbox of mails: stored from the transaction that settles the render until the recipients' servers have accepted them
 * or the last attempt has failed. Of all processes only the holder of its lease sends a mail.
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

  /** Returns true if the report is too large to attach (`MAIL_MAX_MB`). */
  needsLink(report: QueuedReport, order: MailOrder): boolean {
    return mailBytes(report.bytes, textOf(report, order)) > this.config.maxMailBytes;
  }

  /** Returns the most bytes that a mail edition of the report may have. */
  attachableBytes(report: QueuedReport, order: MailOrder): number {
    return attachableBytes(this.config.maxMailBytes, textOf(report, order, SMALLER));
  }

  /**
   * Queues the report's mail in the transaction that settles the render, with an attachment or a link. A mail that cannot be
   * sent is stored as failed.
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
      refused: '[]',
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

  /** Leases the mail that has been due longest, if any. */
  async take(): Promise<DueMail | undefined> {
    const row = await this.mails.take();
    return row && dueMail(row);
  }

  /** Ends an attempt: the mail is sent, queued for a retry, or failed, also if an earlier attempt lost a recipient. */
  async finish({ row, attempts }: DueMail, attempt: Attempt): Promise<MailState> {
    const { remaining } = attempt;
    const waitMs = waitAfter(attempts);
    const again = remaining.length > 0 && waitMs !== undefined;
    const refused = [...(JSON.parse(row.refused) as string[]), ...attempt.refused];
    const lost = [...refused, ...(again ? [] : remaining)];
    const state = again ? 'queued' : lost.length > 0 ? 'failed' : 'sent';
    const error = state === 'failed' ? lostError(refused, attempt.error) : attempt.error;
    await this.mails.finish(row, {
      state,
      ...(waitMs === undefined ? {} : { waitMs }),
      ...(error === undefined ? {} : { error }),
      more: {
        remaining: JSON.stringify(again ? remaining : lost),
        refused: JSON.stringify(refused),
        sentAt: state === 'sent' ? this.clock.now() : null,
      },
    });
    return state;
  }

  /** Returns the deliveries of those of these reports that have one. */
  async findDeliveries(reportIds: readonly string[]): Promise<Map<string, Delivery>> {
    if (reportIds.length === 0) return new Map();
    const rows = await this.reader.repository(ReportMailEntity).find({
      where: { reportId: In(reportIds) },
      order: { id: 'ASC' },
    });
    return new Map(rows.map((row) => [row.reportId, deliveryOf(row)]));
  }
}

/** Names the recipients that were refused for good before the error of the last attempt. */
const lostError = (refused: readonly string[], error: string | undefined): string | undefined =>
  refused.length === 0
    ? error
    : [`The mail server refused ${refused.join(', ')} for good.`, error].filter(Boolean).join(' ');

const attachedOf = ({ bytes, sha256, reducedTo }: MailFile): Attached => ({ bytes, sha256, reducedTo });

const SMALLER = '\nIts pictures are smaller than in the stored report, so that it can be attached.';

const textOf = (report: QueuedReport, { text }: MailOrder, more = ''): string =>
  text ?? `The inspection report is attached: ${report.filename}${more}`;

/** Replaces control characters, which could end a header line. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').slice(0, 500);

function withLink(text: string | undefined, filename: string, url: string): string {
  const until = ukStamp(Number(new URL(url).searchParams.get('expires')) * 1000);
  const note = `The report ${filename} is too large to attach. Download it here until ${until}:\n${url}\n`;
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
  file:
    row.storageKey === null || row.attached === null
      ? null
      : { key: row.storageKey, sha256: (JSON.parse(row.attached) as Attached).sha256 },
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
