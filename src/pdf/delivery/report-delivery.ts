import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../common/app-config.js';
import { ServiceError } from '../../common/service-error.js';
import type { Tx } from '../../database/tx.js';
import { ReportLinks } from '../report-links.js';
import { type Delivery, MailOutbox, type MailOrder, type QueuedReport } from './mail-outbox.js';
import { allAllowed, MAX_RECIPIENTS } from './mail-rules.js';
import { MailSender } from './mail-sender.js';

/** Sends reports to people (contract section 6): may this caller, and then through the outbox. */
@Injectable()
export class ReportDelivery {
  constructor(
    private readonly config: AppConfig,
    private readonly outbox: MailOutbox,
    private readonly sender: MailSender,
    private readonly links: ReportLinks,
  ) {}

  /** Whether there is a mail server. */
  get sendsMail(): boolean {
    return this.config.smtpUrl !== undefined;
  }

  /**
   * Throws 400 `email_not_configured` without a mail server, and 403 `email_not_allowed` unless the caller is trusted
   * (the flow's key, the admin key) or every recipient stands in `MAIL_ALLOW`: the service is no open relay.
   */
  check(order: MailOrder, trusted: boolean): void {
    if (!this.sendsMail) {
      throw new ServiceError(
        400,
        'email_not_configured',
        'This service has no mail server. Render without delivery.email, or ask for SMTP_URL to be set.',
      );
    }
    if (order.to.length > MAX_RECIPIENTS) {
      throw notAllowed(`A report may go to at most ${MAX_RECIPIENTS} recipients. Name fewer.`);
    }
    if (!trusted && !allAllowed(order.to, this.config.mailAllow)) {
      throw notAllowed("Reports are mailed with the flow's key, or to recipients in MAIL_ALLOW only.");
    }
  }

  /** In the transaction that settles the render. */
  queue(tx: Tx, report: QueuedReport, order: MailOrder, origin: string): Promise<Delivery> {
    return this.outbox.queue(tx, report, order, () => this.links.link(origin, report.id));
  }

  /** A mail was queued: the sender need not wait for its next round. */
  hurry(): void {
    this.sender.kick();
  }

  statusOf(reportIds: readonly string[]): Promise<Map<string, Delivery>> {
    return this.outbox.ofReports(reportIds);
  }
}

const notAllowed = (detail: string): ServiceError => new ServiceError(403, 'email_not_allowed', detail);
