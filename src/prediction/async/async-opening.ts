import { Injectable } from '@nestjs/common';
import { CreditLedger } from '../../auth/credit/credit-ledger.js';
import { Clock } from '../../common/clock.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { mayBeWritten } from '../../database/away.js';
import type { Tx } from '../../database/tx.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import { accountKey, asyncRunsKey, type WriteKey } from '../../database/writes/write-keys.js';
import { ApprovalStore } from '../../executions/approvals/approval-store.js';
import { AsyncRunStore, runToken } from '../../executions/async/async-run-store.js';
import type { CallContext } from '../../executions/calls/call-context.js';
import { CallLifecycle } from '../../executions/calls/call-lifecycle.js';
import type { AnsweredApproval, PredictionCall } from '../call/prediction-call.js';
import { priceOf } from '../run/run-opening.js';
import { type StoredRun, StoredCalls } from './stored-calls.js';

/** The answer to a caller who does not wait; the same again under the same key or for the same click. */
export interface AcceptedRun {
  executionId: string;
  status: 'running';
  /** Path at which the run's state is read. */
  location: string;
}

/** Returns the answer for a run with this token. */
export const acceptedRun = (flowId: string, executionId: string, token: string): AcceptedRun => ({
  executionId,
  status: 'running',
  location: `/api/v1/prediction/${encodeURIComponent(flowId)}/runs/${token}`,
});

/** Opens an async run durably before its caller is answered: stored call, record, charge and address. */
@Injectable()
export class AsyncOpening {
  constructor(
    private readonly calls: StoredCalls,
    private readonly gate: WriteGate,
    private readonly lifecycle: CallLifecycle,
    private readonly credit: CreditLedger,
    private readonly store: AsyncRunStore,
    private readonly clock: Clock,
    private readonly approvals: ApprovalStore,
    private readonly secrets: Secrets,
  ) {}

  /**
   * Opens a run. `awaited` if its caller waits for the end. Throws 402, 429 `quota_exceeded`, 503 `overloaded`, and
   * `ApprovalDecided` if another click was faster. A refused call leaves nothing in the store.
   */
  async open(
    call: PredictionCall,
    context: CallContext,
    awaited: boolean,
  ): Promise<{ accepted: AcceptedRun; run: StoredRun }> {
    const { executionId } = context;
    const token = runToken(this.secrets, executionId);
    const accepted = acceptedRun(call.flow.id, executionId, token);
    const run = await this.calls.put(call);
    try {
      await this.gate.write(async (tx) => {
        await this.openAndPay(tx, call, context);
        const { callbackUrl } = call.body;
        const { webhookCredentialId: credentialId } = call.flow.definition;
        await this.store.add(tx, {
          executionId,
          flowId: call.flow.id,
          caller: call.apiCall.caller,
          token,
          requestKey: run.requestKey,
          callbackUrl,
          ...(callbackUrl === undefined ? {} : { credentialId }),
          awaited,
        });
        if (!awaited) await this.lifecycle.storeAnswer(tx, context, { httpStatus: 202, body: accepted });
      }, touchedBy(call));
    } catch (error) {
      if (!mayBeWritten(error)) await this.calls.remove(run);
      throw error;
    }
    return { accepted, run };
  }

  private async openAndPay(tx: Tx, call: PredictionCall, context: CallContext): Promise<void> {
    const { flow, body, answers, seesFailures: knowsAccount } = call;
    const { account } = flow;
    if (answers) await this.decide(tx, call, answers);
    const more = answers ? { resumes: answers.executionId } : {};
    const draft = { account, question: body.question, outlivesProcess: true, ...more };
    await this.lifecycle.open(tx, context, { ...draft, credits: priceOf(call) });
    const { executionId } = context;
    const charge = { account, amount: priceOf(call), executionId, at: this.clock.now() };
    await this.credit.charge(tx, { ...charge, knowsAccount });
  }

  /** Commits the decision with the record of the click, so that the run continues even if this process dies. */
  private async decide(tx: Tx, { apiCall, body }: PredictionCall, approval: AnsweredApproval): Promise<void> {
    const { type, feedback } = body.humanInput!;
    const click = { type, executionId: apiCall.executionId, ...(feedback === undefined ? {} : { feedback }) };
    if (!(await this.approvals.decide(tx, approval, click))) throw new ApprovalDecided();
  }
}

/** Write keys; undefined for a click, which also writes the run that it resumes. */
const touchedBy = ({ flow, answers }: PredictionCall): WriteKey[] | undefined =>
  answers ? undefined : [accountKey(flow.account), asyncRunsKey];

/** Another click was faster. Rolls the transaction back; callers never see it. */
export class ApprovalDecided extends Error {
  constructor() {
    super('The approval was decided by another call.');
  }
}
