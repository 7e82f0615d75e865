import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { lastValueFrom, tap } from 'rxjs';
import type { CaseCalls } from '../../api/case-terms.js';
import type { CaseReport, ChangedRequest } from '../../api/cases.js';
import type { Tokens } from '../../api/executions.js';
import { Clock } from '../../common/clock.js';
import { timeLimit } from '../../common/time-limit.js';
import { newExecutionId } from '../../executions/execution-id.js';
import type { Flow } from '../../flows/definition/flow.js';
import { NodeKindRegistry } from '../../flows/definition/node-kind-registry.js';
import { Rehearsals } from '../../flows/definition/rehearsals.js';
import { runFlow } from '../../flows/engine/flow-runner.js';
import type { Journal } from '../../flows/engine/journal.js';
import type { Json } from '../../flows/engine/json.js';
import type { Upload } from '../../flows/engine/node-kind.js';
import { RunBudget } from '../../flows/engine/run-budget.js';
import type { RunEvent } from '../../flows/engine/run-event.js';
import type { FlowInput } from '../../flows/engine/run-options.js';
import type { PredictionCall } from '../call/prediction-call.js';
import { keepsOf } from '../run/flow-execution.js';
import { FlowSecrets } from '../run/flow-secrets.js';
import { prepareInput } from '../run/run-input.js';
import { predictionForm } from '../stream/prediction-form.js';
import { CaseJournal, liveJournal } from './case-journal.js';
import type { CaseRecording, RecordedCase } from './recording.js';
import { callingNodes, changedRequests, Requests } from './request-changes.js';

/** A run of a case: `id` names it and its chat. */
export interface EngineRun {
  id: string;
  flow: Flow;
  subject: RecordedCase;
  calls: CaseCalls;
  publicUrl: string;
  signal: AbortSignal;
}

/** The end of a run of a case. */
export interface EngineOutcome {
  answer: string | null;
  json?: Json;
  /** Set if the flow failed. */
  failure?: { code: string; message: string };
  tokens?: Tokens;
  durationMs: number;
  requests: ChangedRequest[];
  unused: string[];
  /** Reports that a run with live calls made. */
  reports?: CaseReport[];
}

const LIMIT_MS: Readonly<Record<CaseCalls, number>> = { recorded: 60_000, live: 30 * 60_000 };

/** The owner of the memory of all cases together: they never take the shares of callers. */
const CALLER = 'cases';

/**
 * Runs a case in the engine, in a chat of its own, without a record: nothing is stored, listed, charged or mailed here.
 * Recorded calls are answered by a `CaseJournal`. With live calls, the inspection is a rehearsal.
 */
@Injectable()
export class CaseEngine {
  constructor(
    private readonly kinds: NodeKindRegistry,
    private readonly secrets: FlowSecrets,
    private readonly rehearsals: Rehearsals,
    private readonly clock: Clock,
  ) {}

  async run(order: EngineRun): Promise<EngineOutcome> {
    const { id, subject, calls } = order;
    if (calls === 'recorded') {
      const journal = new CaseJournal(id, subject.recording.calls);
      return this.runWith(order, journal, () => journal.unused());
    }
    const rehearsal = this.rehearsals.open({ executionId: id, flow: order.flow });
    try {
      const outcome = await this.runWith(order, liveJournal(id), () => []);
      return { ...outcome, reports: await rehearsal.reports() };
    } finally {
      await rehearsal.remove();
    }
  }

  private async runWith(
    { id, flow, subject, calls, publicUrl, signal }: EngineRun,
    journal: Journal,
    unused: () => string[],
  ): Promise<Omit<EngineOutcome, 'reports'>> {
    const { recording } = subject;
    const chatId = `case-${id}`;
    const requests = new Requests(
      calls === 'live' ? new Set() : callingNodes(recording.calls.map(({ path }) => path)),
    );
    const secrets = await this.secrets.read(flow);
    const input = { ...this.inputOf(id, flow, subject, publicUrl), secrets };
    const started = this.clock.elapsed();
    const budget = new RunBudget({ flowId: `${CALLER} ${flow.id}`, caller: CALLER });
    const limit = timeLimit(LIMIT_MS[calls]);
    const options = {
      signal: AbortSignal.any([signal, limit]),
      now: () => this.clock.now(),
      newId: () => newExecutionId(this.clock.now()),
      newToken: () => randomBytes(16).toString('base64url'),
      journal,
      budget,
    };
    const collect = tap((event: RunEvent) => {
      if (event.type === 'node-ended' || event.type === 'call-ended') requests.add(event.run);
    });
    try {
      const last = await lastValueFrom(runFlow(flow.graph, this.kinds.all, input, options).pipe(collect));
      const { source } = recording;
      const own = {
        before: source ? [source.executionId, source.chatId, source.sessionId ?? ''] : [],
        after: [id, chatId].toReversed(),
      };
      const end = endOf(last, limit.aborted && !signal.aborted);
      return {
        ...end,
        durationMs: Math.round(this.clock.elapsed() - started),
        requests: changedRequests(recording.requests, requests.list, own),
        // A run that failed or waits for a human may make its other calls later.
        unused: last.type === 'finished' ? unused() : [],
      };
    } finally {
      budget.end();
    }
  }

  private inputOf(id: string, flow: Flow, subject: RecordedCase, publicUrl: string): FlowInput {
    const { recording } = subject;
    const chatId = `case-${id}`;
    const keeps = keepsOf(flow.definition, this.kinds.all);
    const startedAt = this.clock.now();
    const call: PredictionCall = {
      apiCall: {
        executionId: id,
        kind: 'prediction',
        startedAt,
        caller: { address: CALLER },
        recorded: true,
      },
      flow,
      body: { ...bodyOf(subject), chatId },
      ...{ chatId, sessionId: chatId, form: predictionForm, streamed: false, seesFailures: true },
      ...{ apiKeyId: undefined, publicUrl },
    };
    const remembered = keeps.memory ? recording.remembered : [];
    return prepareInput(call, {
      state: keeps.state ? structuredClone(recording.state) : undefined,
      history: (limit) =>
        Promise.resolve(
          limit === undefined ? [...remembered] : limit <= 0 ? [] : remembered.slice(-Math.ceil(limit)),
        ),
    }).input;
  }
}

function bodyOf({ recording, files }: RecordedCase): PredictionCall['body'] {
  const { question, form, vars, startState, overrides, brought, uploads } = recording;
  return {
    question,
    streaming: false,
    vars: new Map(vars),
    startState: new Map(startState),
    otherOverrides: new Map(overrides),
    history: brought,
    uploads: uploads.map((upload) => uploadOf(upload, files)),
    ...(form === undefined ? {} : { form }),
  };
}

function uploadOf(
  { part, bytes: _size, ...upload }: CaseRecording['uploads'][number],
  files: RecordedCase['files'],
): Upload {
  const bytes = part === undefined ? undefined : files.get(part);
  return { ...upload, ...(bytes === undefined ? {} : { bytes }) };
}

type End = Pick<EngineOutcome, 'answer' | 'json' | 'failure' | 'tokens'>;

function endOf(last: RunEvent, isTooLong: boolean): End {
  switch (last.type) {
    case 'finished':
    case 'waiting': {
      const { text, json, tokens } = last.result;
      return {
        answer: text,
        ...(json === undefined ? {} : { json }),
        ...(tokens === undefined ? {} : { tokens }),
      };
    }
    case 'failed': {
      const { code = 'flow_failed', label, message } = last.failure;
      return { answer: null, failure: { code, message: `"${label}": ${message}` } };
    }
    default:
      return {
        answer: null,
        failure: isTooLong
          ? { code: 'timed_out', message: 'The case did not end in time.' }
          : { code: 'aborted', message: 'The run of cases was ended.' },
      };
  }
}
