import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type {
  Attachment,
  NodemailerError,
  SMTPSentMessageInfo,
  SMTPTransportOptions,
  Transporter,
} from 'nodemailer';
import { AppConfig } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { OutboxRounds } from '../../executions/outbox/outbox-rounds.js';
import { LEASE_MS } from '../../executions/outbox/outbox.js';
import { BlobStore } from '../../storage/blob-store.js';
import { StoredFileDamaged } from '../../storage/sound-file.js';
import { ReportEntity } from '../vault/report.entity.js';
import { type Attempt, type DueMail, MailOutbox } from './mail-outbox.js';

/** Time limit of one attempt, well within the lease. */
const ATTEMPT_LIMIT_MS = LEASE_MS - 60_000;

/**
 * Takes mails from the outbox, one at a time, and hands them to the SMTP server. Only recipients that the server refused
 * temporarily are retried, so that nobody gets a report twice.
 */
@Injectable()
export class MailSender implements OnApplicationBootstrap, OnModuleDestroy {
  private transport: Transporter<SMTPSentMessageInfo, SMTPTransportOptions> | undefined;
  private readonly rounds: OutboxRounds<DueMail>;

  constructor(
    private readonly config: AppConfig,
    private readonly outbox: MailOutbox,
    private readonly reader: DatabaseReader,
    private readonly store: BlobStore,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    const work = { take: () => outbox.take(), send: (mail: DueMail) => this.deliver(mail), atOnce: 1 };
    this.rounds = new OutboxRounds(work, logger);
  }

  /** Loads the mail library only if there is a mail server. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.config.smtpUrl === undefined) return;
    const { createTransport } = await import('nodemailer');
    this.transport = createTransport({
      url: this.config.smtpUrl,
      disableFileAccess: true,
      disableUrlAccess: true,
      connectionTimeout: 20_000,
      greetingTimeout: 20_000,
      socketTimeout: 60_000,
    });
    this.rounds.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.transport?.close();
    await this.rounds.stop();
  }

  /** Starts a round now. */
  kick(): void {
    this.rounds.kick();
  }

  private async deliver(mail: DueMail): Promise<void> {
    const attempt = await this.attempt(mail);
    const state = await this.outbox.finish(mail, attempt);
    this.logger.info(
      { mailId: mail.id, reportId: mail.reportId, state, error: attempt.error },
      'report mailed',
    );
  }

  private async attempt(mail: DueMail): Promise<Attempt> {
    // Ends the connection, so that the server cannot accept this attempt beside the next one.
    const over = new AbortController();
    try {
      const info = await withinLimit(this.send(mail, over.signal), () => over.abort());
      return sortRefused(info.rejected, info.rejectedErrors);
    } catch (error) {
      const failure = error as NodemailerError;
      if (failure.rejectedErrors !== undefined) {
        return sortRefused(mail.remaining, failure.rejectedErrors, failure.message);
      }
      const forGood = isForGood(failure.responseCode);
      return {
        remaining: forGood ? [] : mail.remaining,
        refused: forGood ? mail.remaining : [],
        error: failure.message,
      };
    }
  }

  private async send(mail: DueMail, signal: AbortSignal): Promise<SMTPSentMessageInfo> {
    const sender = this.config.mailFrom;
    return this.transport!.sendMail({
      signal,
      from: sender,
      to: mail.recipients.map((address) => ({ name: '', address })),
      envelope: { from: bareAddress(sender), to: mail.remaining },
      subject: mail.subject,
      text: mail.body,
      // The same for every attempt: if the answer to an accepted mail was lost, the server can drop the duplicate.
      messageId: `<${mail.id}@${bareAddress(sender).split('@').pop() ?? 'localhost'}>`,
      date: new Date(this.clock.now()),
      attachments: mail.link === null ? [await this.attachment(mail)] : [],
    });
  }

  private async attachment({ reportId, file }: DueMail): Promise<Attachment> {
    const report = await this.reader.repository(ReportEntity).findOneBy({ id: reportId });
    if (!report) throw new Error('the report is gone');
    const blob = file ?? { key: report.storageKey, sha256: report.sha256 };
    if (!(await this.store.isSound(blob))) throw new StoredFileDamaged();
    return {
      filename: report.filename,
      contentType: 'application/pdf',
      content: this.store.stream(blob.key),
    };
  }
}

const bareAddress = (sender: string): string => {
  const start = sender.lastIndexOf('<');
  return (start < 0 ? sender : sender.slice(start + 1).replace('>', '')).trim();
};

/** Returns true for a 5xx, which is final for a recipient; but 530 to 538 concern our credentials, which may be corrected. */
const isForGood = (code: number | undefined): boolean =>
  code !== undefined && code >= 500 && !(code >= 530 && code <= 538);

function sortRefused(
  recipients: readonly string[],
  errors: readonly NodemailerError[] = [],
  message?: string,
): Attempt {
  const codes = new Map(errors.map((error) => [error.recipient, error.responseCode]));
  const refused = recipients.filter((recipient) => isForGood(codes.get(recipient)));
  const remaining = recipients.filter((recipient) => !refused.includes(recipient));
  const error = message ?? errors[0]?.message;
  return { remaining, refused, ...(error === undefined ? {} : { error }) };
}

function withinLimit<Value>(work: Promise<Value>, stop: () => void): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      stop();
      reject(new Error('the mail server took too long'));
    }, ATTEMPT_LIMIT_MS);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
