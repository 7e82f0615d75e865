import { Injectable } from '@nestjs/common';
import { CASE_CHARGE, type CaseCalls } from '../../api/case-terms.js';
import type { CaseCheck, CaseResult } from '../../api/cases.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { ServiceError } from '../../common/service-error.js';
import { newExecutionId } from '../../executions/execution-id.js';
import { recordText } from '../../executions/log/recorded-value.js';
import type { Flow } from '../../flows/definition/flow.js';
import type { Hold } from '../run/run-inputs.js';
import { CaseEngine, type EngineOutcome } from './case-engine.js';
import { CaseJudge } from './case-judge.js';
import { CaseRecorder } from './case-recorder.js';
import { type CaseCharge, CaseRunStore } from './case-run-store.js';
import { CaseStore } from './case-store.js';
import type { CaseEntity } from './case.entity.js';
import { runChecks } from './checks.js';
import { withHeldMemory } from './held-memory.js';
import type { RecordedCase } from './recording.js';

/** One item of a run: a case, or an execution that is compared. */
export type CaseItem = { calls: CaseCalls } & ({ case: CaseEntity } | { executionId: string });

/** A run of cases under way. */
export interface RunContext {
  runId: string;
  flow: Flow;
  publicUrl: string;
  signal: AbortSignal;
}

const LONGEST_ANSWER = 8_000;

/** The run of cases was ended elsewhere. */
export class CaseRunEnded extends Error {}

/** Runs one case: reads it, charges live calls, runs the engine, checks the answer and stores the result. */
@Injectable()
export class CaseRunner {
  constructor(
    private readonly store: CaseStore,
    private readonly recorder: CaseRecorder,
    private readonly engine: CaseEngine,
    private readonly judge: CaseJudge,
    private readonly runs: CaseRunStore,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Throws `CaseRunEnded` if the run has ended meanwhile. */
  run(item: CaseItem, position: number, context: RunContext): Promise<void> {
    return withHeldMemory(context.signal, (hold) => this.runHeld(item, position, context, hold));
  }

  private async runHeld(item: CaseItem, position: number, context: RunContext, hold: Hold): Promise<void> {
    const { runId, flow } = context;
    const id = newExecutionId(this.clock.now());
    const credits = item.calls === 'live' ? flow.price : 0;
    let paid: CaseCharge | undefined;
    let result: CaseResult;
    try {
      const subject = await this.subjectOf(item, flow.id, hold);
      if (credits > 0) {
        const charge = { id: `${CASE_CHARGE}${id}`, account: flow.account, amount: credits };
        // Noted before the answer, which may be lost; a charge that was not made is not refunded.
        paid = charge;
        if (!(await this.runs.charge(runId, position, charge))) throw new CaseRunEnded();
      }
      const outcome = await this.engine.run({ ...context, id, subject, calls: item.calls });
      context.signal.throwIfAborted();
      result = await this.resultOf(item, subject, outcome, context);
    } catch (error) {
      if (error instanceof CaseRunEnded) throw error;
      if (context.signal.aborted) throw new CaseRunEnded();
      result = { ...bare(item), ...failureOf(error) };
      const { code, caseId, executionId } = result;
      if (code === 'internal_error')
        this.logger.error({ err: error, runId, caseId, executionId }, 'a case could not be run');
    }
    const refunds = result.code === undefined ? undefined : paid;
    if (!(await this.runs.finish(runId, position, result, refunds))) throw new CaseRunEnded();
  }

  private async subjectOf(item: CaseItem, flowId: string, hold: Hold): Promise<RecordedCase> {
    if ('executionId' in item) return this.recorder.record(flowId, item.executionId, hold);
    await hold(item.case.bytes);
    return this.store.load(item.case.id);
  }

  private async resultOf(
    item: CaseItem,
    { recording: { before } }: RecordedCase,
    outcome: EngineOutcome,
    { flow, signal }: RunContext,
  ): Promise<CaseResult> {
    const { answer, json, failure, tokens, durationMs, requests, unused, reports = [] } = outcome;
    const credits = item.calls === 'live' && !failure ? flow.price : 0;
    const checks = 'case' in item ? (JSON.parse(item.case.checks) as CaseCheck[]) : [];
    const checked = {
      text: answer ?? '',
      credits,
      durationMs,
      ...(json === undefined ? {} : { json }),
      ...(tokens === undefined ? {} : { tokens }),
    };
    const judge = (check: Extract<CaseCheck, { kind: 'judge' }>, text: string) =>
      this.judge.judge(check, text, signal);
    const results = failure ? [] : await runChecks(checks, checked, { flowId: flow.id, judge });
    const changed = before !== null && answer !== before;
    return {
      ...bare(item),
      passed: !failure && results.every(({ passed }) => passed) && ('case' in item || !changed),
      ...(failure ? { code: failure.code, error: recordText(failure.message, LONGEST_ANSWER)! } : {}),
      checks: results,
      answer: shown(answer),
      before: shown(before),
      changed,
      requests,
      unused,
      ...(reports.length > 0 ? { reports } : {}),
      credits,
      ...(tokens === undefined ? {} : { tokens: { ...tokens } }),
      durationMs,
    };
  }
}

const shown = (text: string | null): string | null =>
  text === null ? null : recordText(text, LONGEST_ANSWER);

/** Returns the result of an item before it has run. */
const bare = (item: CaseItem): CaseResult => ({
  ...('case' in item ? { caseId: item.case.id, name: item.case.name } : { executionId: item.executionId }),
  ...{ passed: false, checks: [], answer: null, before: null, changed: false, requests: [], unused: [] },
  ...{ calls: item.calls, credits: 0, durationMs: 0 },
});

function failureOf(error: unknown): Pick<CaseResult, 'code' | 'error'> {
  if (!(error instanceof ServiceError))
    return { code: 'internal_error', error: 'The case could not be run. The log of the service says why.' };
  const [fault] = error.errors ?? [];
  if (fault?.path === 'executionId')
    return { code: 'not_comparable', error: `The execution ${fault.message}.` };
  return { code: error.code, error: error.message };
}
