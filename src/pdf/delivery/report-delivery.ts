import { Injectable } from '@nestjs/common';
import type { Delivery } from '../../api/reports.js';
import { AppConfig } from '../../common/app-config.js';
import { ServiceError } from '../../common/service-error.js';
import type { Tx } from '../../database/tx.js';
import { ReportLinks } from '../vault/report-links.js';
import {
  type MailFault,
  type MailFile,
  MailOutbox,
  type MailOrder,
  type QueuedReport,
} from './mail-outbox.js';
import { allAllowed, MAX_RECIPIENTS } from './mail-rules.js';
import { MailSender } from './mail-sender.js';

/** Delivery of reports by mail (contract section 6): checks the caller's right, then queues the mail in the outbox. */
@Injectable()
export class ReportDelivery {
  constructor(
    private readonly config: AppConfig,
    private readonly outbox: MailOutbox,
    private readonly sender: MailSender,
    private readonly links: ReportLinks,
  ) {}

  /** True if there is a mail server. */
  get sendsMail(): boolean {
    return this.config.smtpUrl !== undefined;
  }

  /**
   * Throws 400 `email_not_configured` without a mail server, and 403 `email_not_allowed` unless the caller is trusted (the
   * flow's key, the admin key) or `MAIL_ALLOW` lists every recipient: the service is no open relay.
   */
  check(order: MailOrder, trusted: boolean): void {
    if (!this.sendsMail) {
      throw new ServiceError(
        'email_not_configured',
        'This service has no mail server. Render without delivery.email, or set SMTP_URL for the service.',
      );
    }
    if (order.to.length > MAX_RECIPIENTS) {
      throw notAllowed(`A report may go to at most ${MAX_RECIPIENTS} recipients. Name fewer.`);
    }
    if (!trusted && !allAllowed(order.to, this.config.mailAllow)) {
      throw notAllowed("Reports are e-mailed only with the flow's key, or to recipients in MAIL_ALLOW.");
    }
  }

  /**
   * Returns the fault of a mail that cannot be sent. Links in mails are made from `PUBLIC_URL` alone, because the caller may
   * have sent any `Host` and somebody else reads the mail.
   */
  faultOf(report: QueuedReport, order: MailOrder): MailFault | undefined {
    if (this.config.publicUrl !== undefined || !this.outbox.needsLink(report, order)) return undefined;
    return {
      code: 'public_url_not_configured',
      message:
        'The report is too large to attach, and this service has no public address for a link to it. ' +
        'Set PUBLIC_URL for the service, or download the report and send it yourself.',
    };
  }

  /** Returns the most bytes of a mail edition; undefined if the report itself can be attached. */
  mailEditionBytes(report: QueuedReport, order: MailOrder): number | undefined {
    return this.outbox.needsLink(report, order) ? this.outbox.attachableBytes(report, order) : undefined;
  }

  /** Queues the mail in the transaction that settles the render, with the mail edition if there is one. */
  queue(tx: Tx, report: QueuedReport, order: MailOrder, file?: MailFile): Promise<Delivery> {
    if (file) return this.outbox.queue(tx, report, order, { file });
    const fault = this.faultOf(report, order);
    if (fault) return this.outbox.queue(tx, report, order, fault);
    const { publicUrl } = this.config;
    const link = publicUrl !== undefined && this.outbox.needsLink(report, order);
    const by = link ? { link: this.links.link(publicUrl, report.id) } : 'attachment';
    return this.outbox.queue(tx, report, order, by);
  }

  /** Starts a round of the sender now, because a mail was queued. */
  hurry(): void {
    this.sender.kick();
  }

  statusOf(reportIds: readonly string[]): Promise<Map<string, Delivery>> {
    return this.outbox.findDeliveries(reportIds);
  }
}

const notAllowed = (detail: string): ServiceError => new ServiceError('email_not_allowed', detail);
