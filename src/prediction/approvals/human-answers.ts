import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { AppConfig } from '../../common/app-config.js';
import { Budget, declareBudget } from '../../common/budgets/budget.js';
import { Clock } from '../../common/clock.js';
import { defaults } from '../../common/environment.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { ApprovalExpiry } from '../../executions/approvals/approval-expiry.js';
import { ApprovalStore } from '../../executions/approvals/approval-store.js';
import type { Decision, RunApproval } from '../../executions/approvals/approval.js';
import { AsyncRunStore, runToken } from '../../executions/async/async-run-store.js';
import type { CallContext } from '../../executions/calls/call-context.js';
import { CallLifecycle } from '../../executions/calls/call-lifecycle.js';
import type { StoredAnswer } from '../../executions/calls/key-entry.js';
import { FlowStore } from '../../flows/store/flow-store.js';
import { type AcceptedRun, acceptedRun, ApprovalDecided } from '../async/async-opening.js';
import { AsyncRuns } from '../async/async-runs.js';
import { cancellationError } from '../call/prediction-answer.js';
import type { HumanInput } from '../call/prediction-body.js';
import type { PredictionCall } from '../call/prediction-call.js';
import type { StartedRun } from '../run/prediction.service.js';
import {
  alreadyDecided,
  answerOfClick,
  neverAsked,
  requireSameDecision,
  stillRuns,
} from './click-answers.js';
import { DeletedFlows } from './deleted-flows.js';
import { atVersionOfRun } from './version-of-run.js';

/** The result of a start: a run, an accepted async run, or the answer to an earlier click. */
export type Start = { started: StartedRun } | { accepted: AcceptedRun } | { replay: StoredAnswer };

/** Interval of polling for the end of a run that another click resumed. */
const POLL_MS = 100;

const waiting = declareBudget({
  name: 'calls that wait for the answer to an earlier one',
  unit: 'calls',
  owner: 'session',
  share: defaults.MAX_WAITING_PER_CHAT,
  variable: 'MAX_WAITING_PER_CHAT',
  beyond: '409 session_busy',
  reason: 'Each asks the database ten times a second; a person clicks a few times.',
});

/** A decided approval; the decision never changes. */
export type DecidedApproval = RunApproval & { decision: Decision };

/** Decides approvals by clicks, and answers clicks on decided ones (contract section 11, Approvals). */
@Injectable()
export class HumanAnswers {
  /** Time for which a click waits for the answer to an earlier click with the same decision. */
  patienceMs = 60_000;
  private readonly waiting: Budget;

  constructor(
    readonly approvals: ApprovalStore,
    private readonly expiry: ApprovalExpiry,
    private readonly runs: AsyncRunStore,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
    private readonly asyncRuns: AsyncRuns,
    private readonly lifecycle: CallLifecycle,
    { maxWaitingPerChat: share }: AppConfig,
    readonly flows: FlowStore,
    private readonly deletedFlows: DeletedFlows,
  ) {
    this.waiting = new Budget({ ...waiting, share });
  }

  /**
   * Decides the approval with the first click. A later click with the same decision gets the answer of the first, or
   * the address of its run if it does not wait; any other gets 409. Another click may win between the read and the
   * decision.
   */
  async answer(
    call: PredictionCall,
    click: HumanInput,
    context: CallContext,
    isAsync: boolean,
  ): Promise<Start> {
    const approval = await this.findApproval(call, click);
    const start = approval.decision ? undefined : await this.decide(approval, call, context, isAsync);
    if (start) return start;
    const decided = await this.findDecided(approval);
    const replay =
      (isAsync ? await this.acceptAgain(decided, click) : undefined) ??
      (await this.answerAgain(decided, click, call, context));
    await this.lifecycle.giveUp(context);
    call.apiCall.replays = { executionId: replay.executionId, status: replay.status };
    return { replay };
  }

  /** Decides the approval by this click and resumes its run; undefined if something else decides it. */
  private async decide(
    { name, executionId, runId }: RunApproval,
    call: PredictionCall,
    context: CallContext,
    isAsync: boolean,
  ): Promise<Start | undefined> {
    const atVersion = await atVersionOfRun(call, executionId, isAsync, this);
    if (!atVersion) {
      await this.deletedFlows.endWaitingRuns([executionId]);
      return undefined;
    }
    const deciding = { ...atVersion, answers: { name, executionId, runId } };
    try {
      if (isAsync) return { accepted: await this.asyncRuns.accept(deciding, context) };
      return { started: await this.asyncRuns.decide(deciding, context) };
    } catch (error) {
      if (error instanceof ApprovalDecided) return undefined;
      throw error;
    }
  }

  /**
   * Returns the approval that `startNodeId` names, after ending it if it has expired. Throws 400 for an unknown name,
   * and for a node's own id without a key or if that is ambiguous.
   */
  async findApproval(call: PredictionCall, { startNodeId }: HumanInput): Promise<RunApproval> {
    const named = await this.approvals.findNamed(call.flow.id, call.chatId, startNodeId);
    const approval = named ?? (call.seesFailures ? await this.findAtNode(call, startNodeId) : undefined);
    if (!approval) throw neverAsked();
    return (await this.afterExpiry(approval)) ?? approval;
  }

  /** Reads the decision of an approval, which may also have expired since it was found. */
  async findDecided({ flowId, chatId, name }: RunApproval): Promise<DecidedApproval> {
    const found = await this.approvals.findNamed(flowId, chatId, name);
    const approval = found && (await this.afterExpiry(found));
    if (!approval?.decision) throw neverAsked();
    return { ...approval, decision: approval.decision };
  }

  /** Returns the approval after ending it if it has expired; undefined if it is no longer stored then. */
  private async afterExpiry(approval: RunApproval): Promise<RunApproval | undefined> {
    if (approval.decision || approval.expiresAt > this.clock.now()) return approval;
    await this.expiry.expireRun(approval.executionId);
    return this.approvals.findNamed(approval.flowId, approval.chatId, approval.name);
  }

  /**
   * Returns the answer to the deciding click, once its run has ended, for a click with the same decision. Throws 409:
   * `already_decided` for another decision, `session_busy` if the run takes too long.
   */
  async answerAgain(
    { decision }: DecidedApproval,
    click: HumanInput,
    call: Pick<PredictionCall, 'seesFailures'>,
    context: CallContext,
  ): Promise<StoredAnswer> {
    const by = requireSameDecision(decision, click);
    const leave = this.takePlace(by);
    return this.untilEnded(by, decision, call, context).finally(leave);
  }

  private takePlace(execution: string): () => void {
    try {
      return this.waiting.take(execution, 1);
    } catch {
      throw stillRuns();
    }
  }

  private async untilEnded(
    by: string,
    decision: Decision,
    call: Pick<PredictionCall, 'seesFailures'>,
    context: CallContext,
  ): Promise<StoredAnswer> {
    const until = this.clock.elapsed() + this.patienceMs;
    for (;;) {
      const found = await this.runs.find(by);
      if (!found) throw alreadyDecided(decision);
      if (found.status !== 'running' && !found.answer && !found.error) throw alreadyDecided(decision);
      if (found.status !== 'running') return answerOfClick(found, by, call.seesFailures);
      if (this.clock.elapsed() > until) throw stillRuns();
      await pause(POLL_MS, undefined, { signal: context.signal }).catch(() => undefined);
      if (context.cancelReason !== undefined) throw cancellationError(context.cancelReason);
    }
  }

  /**
   * Returns the 202 with the address of the deciding click's run. Undefined if that address cannot be created again.
   * Throws 409 `already_decided` as `answerAgain` does.
   */
  async acceptAgain(
    { flowId, decision }: DecidedApproval,
    click: HumanInput,
  ): Promise<StoredAnswer | undefined> {
    const executionId = requireSameDecision(decision, click);
    const token = runToken(this.secrets, executionId);
    if (!(await this.runs.isOpenedBy(executionId, token))) return undefined;
    return {
      executionId,
      status: 'succeeded',
      httpStatus: 202,
      body: acceptedRun(flowId, executionId, token),
    };
  }

  /** Returns the approval at this node, if the node has asked exactly once in its run and in no other open run. */
  private async findAtNode(
    { flow, chatId }: PredictionCall,
    nodeId: string,
  ): Promise<RunApproval | undefined> {
    const approvals = await this.approvals.findAtNode(flow.id, chatId, nodeId);
    const [newest] = approvals;
    const inRun = approvals.filter(({ executionId }) => executionId === newest?.executionId);
    const open = approvals.filter(({ decision }) => !decision);
    return inRun.length === 1 && open.every((approval) => approval === newest) ? newest : undefined;
  }
}
