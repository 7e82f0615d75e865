import { Injectable } from '@nestjs/common';
import type { RenderedReport } from '../../api/reports.js';
import { Clock } from '../../common/clock.js';
import { shuttingDown } from '../../common/health/readiness.js';
import { Logger } from '../../common/logger.js';
import { Overloaded, ServiceError } from '../../common/service-error.js';
import { DatabaseAway, callerError } from '../../database/away.js';
import { patiently } from '../../database/patiently.js';
import type { Tx } from '../../database/tx.js';
import { LateWrites } from '../../database/writes/late-writes.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { sessionKey, type WriteKey } from '../../database/writes/write-keys.js';
import { CallCancelled, outcomeOf } from '../../executions/call-outcome.js';
import { CallLifecycle } from '../../executions/calls/call-lifecycle.js';
import { EffectJournal } from '../../executions/calls/effect-journal.js';
import type { Outcome } from '../../executions/execution.js';
import { RunInterrupted } from '../../executions/run-fence.js';
import type { Claim } from '../../inspection/claims/claim.js';
import { ClaimService } from '../../inspection/claims/claim.service.js';
import type { MailFile } from '../delivery/mail-outbox.js';
import { ReportDelivery } from '../delivery/report-delivery.js';
import type { SealedReport } from '../drawing/drawn-report.js';
import { ReportVault, type StoredReport } from '../vault/report-vault.js';
import { type RenderCaller, type RenderOrder, runOf } from './render-request.js';

/** A report whose bytes are stored and whose row is not. */
interface FinishedReport extends SealedReport {
  /** The file for the mail if the report itself is too large to attach. */
  mailFile?: MailFile;
}

/** Ends a render: stores the report, settles its claim and queues its delivery in one transaction, or releases the claim. */
@Injectable()
export class RenderClosing {
  constructor(
    private readonly gate: WriteGate,
    private readonly lateWrites: LateWrites,
    private readonly claims: ClaimService,
    private readonly vault: ReportVault,
    private readonly delivery: ReportDelivery,
    private readonly lifecycle: CallLifecycle,
    private readonly journal: EffectJournal,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** If the claim was released meanwhile, throws and stores nothing. */
  async store(
    claim: Claim,
    drawn: FinishedReport,
    order: RenderOrder,
    caller: RenderCaller,
  ): Promise<RenderedReport> {
    const report = reportOf(claim, drawn, order);
    const { mailFile } = drawn;
    const warning = mailFile ? SMALLER_MAILED : order.email && this.delivery.faultOf(report, order.email);
    if (warning) report.warnings = [...report.warnings, { ...warning, path: 'delivery.email' }];
    const answer = await patiently(() =>
      this.gate.write(
        async (tx) => {
          // Settled before the record ends, because an execution that ends releases the claims that it still holds.
          if (!(await this.claims.settle(tx, claim))) throw new RunInterrupted();
          await this.vault.add(tx, report, drawn.signature);
          const delivery = order.email && (await this.delivery.queue(tx, report, order.email, mailFile));
          const stored = this.vault.answer(report, caller.origin, delivery);
          await this.succeed(tx, caller, stored, report.filename);
          return stored;
        },
        touchedBy(claim, caller),
      ),
    );
    if (order.email) this.delivery.hurry();
    return answer;
  }

  /** Ends the call's record and stores its answer for replay, or journals the answer as an effect of the run. */
  async succeed(
    tx: Tx,
    { context, effect, respondAsync }: RenderCaller,
    answer: object,
    summary: string,
  ): Promise<void> {
    if (effect) await this.journal.write(tx, effect, 'render', answer);
    if (!context) return;
    const outcome: Outcome = {
      status: 'succeeded',
      httpStatus: respondAsync ? 202 : 200,
      answer: summary,
      finishedAt: this.clock.now(),
    };
    await this.lifecycle.end(tx, { context, outcome, answer: { httpStatus: 200, body: answer } });
  }

  /** Releases the claim and returns the error for the caller. */
  async fail(claim: Claim, caller: RenderCaller, cause: unknown): Promise<ServiceError> {
    const error = failureOf(
      caller,
      cause,
      claim.held || claim.photographs === 0 ? NOTHING_TAKEN : PENDING_AGAIN,
    );
    this.logger.error({ err: cause, claimId: claim.id, executionId: caller.executionId }, 'a render failed');
    await this.lateWrites.attempt(`the release of claim ${claim.id}`, () =>
      this.gate.write(
        async (tx) => {
          await this.claims.release(tx, claim.id, error.message);
          const { context } = caller;
          if (context)
            await this.lifecycle.endAll(tx, [{ context, outcome: outcomeOf(error, this.clock.now()) }]);
        },
        touchedBy(claim, caller),
      ),
    );
    return error;
  }
}

/** Returns what the end of a render touches. Undefined for an edition, which also touches what it corrects. */
export const touchedBy = ({ edition, sessionId }: Claim, caller: RenderCaller): WriteKey[] | undefined =>
  edition ? undefined : [sessionKey(sessionId), ...runOf(caller)];

const SMALLER_MAILED = {
  code: 'mail_pictures_reduced',
  message:
    'The report is too large to attach to an e-mail. The e-mail carries a copy with smaller pictures; the stored report is unchanged.',
};

const PENDING_AGAIN = 'Its photographs are pending again. Render again.';
const NOTHING_TAKEN = 'Nothing was claimed for it. Try again.';

/** Returns an error that may pass (a nearly full disk, a busy database) as such, with the time to retry after. */
function failureOf({ context, signal }: RenderCaller, cause: unknown, after: string): ServiceError {
  if (signal.aborted && context?.cancelReason !== 'interrupted')
    return new CallCancelled(context?.cancelReason ?? 'stopped', `The render was cancelled. ${after}`);
  if (signal.aborted) return shuttingDown(`The service stopped during the render. ${after}`);
  if (cause instanceof RunInterrupted) return cause;
  const reported = callerError(cause);
  const detail = `${(reported as Error).message} ${after}`;
  if (reported instanceof DatabaseAway) return new DatabaseAway(cause, detail);
  if (reported instanceof Overloaded)
    return new Overloaded(detail, Number(reported.headers['Retry-After']), cause);
  if (cause instanceof ServiceError && cause.status === 503) {
    return new ServiceError({ status: 503, code: cause.code }, detail, { headers: cause.headers, cause });
  }
  return new ServiceError('internal_error', `The report could not be made. ${after}`, { cause });
}

const reportOf = (claim: Claim, drawn: SealedReport, { maxBytes }: RenderOrder): StoredReport => ({
  id: claim.reportId,
  claimId: claim.id,
  sessionId: claim.sessionId,
  flowIds: claim.flowIds,
  executionId: claim.executionId,
  filename: drawn.filename,
  key: drawn.blob.key,
  manifestKey: drawn.manifestKey,
  bytes: drawn.blob.bytes,
  pages: drawn.pages,
  sha256: drawn.blob.sha256,
  photographs: drawn.photographs,
  claimed: claim.photographs,
  warnings: drawn.warnings,
  prints: drawn.prints,
  maxBytes: maxBytes ?? null,
  outstandingAreas: claim.outstandingAreas,
  createdAt: claim.createdAt,
  edition: claim.edition?.number ?? 1,
  replaces: claim.edition?.replaces.reportId ?? null,
  editionReason: claim.edition?.reason ?? null,
});
