import { Injectable } from '@nestjs/common';
import { deserialize, serialize } from 'node:v8';
import { reserveToRead } from '../../common/bodies/body-budget.js';
import { DatabaseReader } from '../../database/database-reader.js';
import type { ApiCall } from '../../executions/api-call.js';
import { ApprovalStore } from '../../executions/approvals/approval-store.js';
import type { StoredSnapshot } from '../../executions/approvals/approval.js';
import { AsyncRunStore } from '../../executions/async/async-run-store.js';
import { CallContext } from '../../executions/calls/call-context.js';
import { ExecutionEntity } from '../../executions/log/execution.entity.js';
import type { RunAttempt } from '../../executions/run-fence.js';
import type { FlowContent } from '../../flows/definition/flow-definition.js';
import type { Flow } from '../../flows/definition/flow.js';
import type { Json } from '../../flows/engine/json.js';
import { FlowStore } from '../../flows/store/flow-store.js';
import { BlobStore } from '../../storage/blob-store.js';
import type { PredictionBody } from '../call/prediction-body.js';
import type { AnsweredApproval, PredictionCall } from '../call/prediction-call.js';
import type { Chat } from '../memory/chat-memory.js';
import { draftOf, FirstCalls } from '../run/first-calls.js';
import type { WaitingRun } from '../run/prediction.service.js';
import { predictionForm } from '../stream/prediction-form.js';

/**
 * The part of a call that is stored as a blob. V8's serialisation retains Maps and bytes, and a later Node reads what
 * an earlier one wrote.
 */
interface StoredCall {
  body: PredictionBody;
  chatId: string;
  sessionId: string;
  seesFailures: boolean;
  apiKeyId: string | undefined;
  publicUrl: string;
  paid: boolean;
  /** The definition of a run of a draft. */
  draft?: FlowContent;
}

/** A run whose call is stored until it gets its chat's lock. */
export interface StoredRun extends WaitingRun {
  readonly apiCall: ApiCall;
  readonly flow: Flow;
  readonly requestKey: string;
}

/** Stores the calls of async runs as blobs: a waiting run holds no body in memory, and any process can load it. */
@Injectable()
export class StoredCalls {
  constructor(
    private readonly blobs: BlobStore,
    private readonly store: AsyncRunStore,
    private readonly approvals: ApprovalStore,
    private readonly firstCalls: FirstCalls,
    private readonly flows: FlowStore,
    private readonly database: DatabaseReader,
  ) {}

  /** Stores the call durably and returns the waiting run. */
  async put(call: PredictionCall): Promise<StoredRun> {
    const { body, chatId, sessionId, seesFailures, apiKeyId, publicUrl, paid = false } = call;
    const { flow, apiCall, answers } = call;
    const stored: StoredCall = {
      ...{ body, chatId, sessionId, seesFailures, apiKeyId, publicUrl, paid },
      ...draftOf(flow),
    };
    const { key: requestKey } = await this.blobs.put('runs', serialize(stored));
    const { question: _, ...light } = apiCall;
    const chat = { flowId: flow.id, chatId };
    return {
      apiCall: { ...light, recorded: true },
      flow,
      chat,
      requestKey,
      ...(answers ? { answers } : {}),
    };
  }

  async remove({ requestKey }: Pick<StoredRun, 'requestKey'>): Promise<void> {
    await this.blobs.remove(requestKey);
  }

  /** Returns a run of another process with a new context; undefined if its flow or call is gone. */
  async find({
    executionId,
    attempt,
  }: RunAttempt): Promise<{ run: StoredRun; context: CallContext } | undefined> {
    const record = await this.database.repository(ExecutionEntity).findOneBy({ id: executionId });
    const { flowId, chatId, resumes, retryOf, runId } = record ?? {};
    const requestKey = await this.store.requestKey(executionId);
    const flow = flowId ? await this.flowOf(flowId, record!.flowVersion) : undefined;
    if (!record || !flow || !chatId || requestKey === undefined) return undefined;
    if (!(await this.blobs.exists(requestKey))) return undefined;
    const chat = { flowId: flow.id, chatId };
    const apiCall = apiCallOf(record, chat, flow.name);
    const answers = resumes ? await this.approvals.findDecidedBy(executionId, resumes) : undefined;
    const run = { apiCall, flow, chat, requestKey, ...(answers ? { answers } : {}) };
    const earlier = runId ? { executionId: retryOf ?? runId, runId, paid: true } : undefined;
    return { run, context: new CallContext(apiCall, false, earlier, attempt) };
  }

  /** Returns the flow at the version of its run. The stored call of a draft has its definition. */
  private flowOf(flowId: string, version: string | null): Promise<Flow | undefined> {
    return version === null || version === 'draft'
      ? this.flows.find(flowId)
      : this.flows.findAtVersion(flowId, Number(version));
  }

  /**
   * Loads the whole call once the memory budget allows it, and returns it with a function that releases the memory. A
   * run that resumes after a human's answer is read with its first call. Rejects with the signal's reason.
   */
  async load(run: StoredRun, signal: AbortSignal): Promise<{ call: PredictionCall; release: () => void }> {
    const { onEnded, answers } = run;
    const waited = answers && (await this.waitedFor(answers));
    // Reserve both together: a run that holds the first and waits for the second could wait for itself.
    const keys = [run.requestKey, ...(waited ? [waited.requestKey] : [])];
    const sizes = await Promise.all(keys.map(async (key) => (await this.blobs.size(key)) ?? 0));
    const release = await reserveToRead(
      sizes.reduce((sum, size) => sum + size, 0),
      signal,
    );
    try {
      const { draft, ...stored } = deserialize(await this.blobs.read(run.requestKey)) as StoredCall;
      const flow = draft ? run.flow.at('draft', draft) : run.flow;
      const apiCall = { ...run.apiCall, question: stored.body.question };
      const call = {
        ...stored,
        apiCall,
        flow,
        form: predictionForm,
        streamed: false,
        ...(onEnded ? { onEnded } : {}),
        ...(answers ? { answers } : {}),
      };
      return { call: waited ? await this.resumed(call, waited) : call, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  private async waitedFor({ name }: AnsweredApproval): Promise<StoredSnapshot> {
    const stored = await this.approvals.findSnapshot(name);
    if (!stored) throw new Error('The snapshot of the run is gone.');
    return stored;
  }

  private async resumed(
    call: PredictionCall,
    { snapshot, requestKey }: StoredSnapshot,
  ): Promise<PredictionCall> {
    const first = await this.firstCalls.read(requestKey);
    const flow = first.draft ? call.flow.at('draft', first.draft) : call.flow;
    return { ...call, flow, resumes: { snapshot: snapshot as Json, first, requestKey } };
  }
}

const apiCallOf = (
  { id, startedAt, callerAddress, callerApiKeyId, callerOrigin }: ExecutionEntity,
  chat: Chat,
  flowName: string,
): ApiCall => ({
  executionId: id,
  kind: 'prediction',
  startedAt,
  caller: {
    address: callerAddress ?? '',
    ...(callerApiKeyId === null ? {} : { apiKeyId: callerApiKeyId }),
    ...(callerOrigin === null ? {} : { origin: callerOrigin }),
  },
  ...chat,
  flowName,
  recorded: true,
});
