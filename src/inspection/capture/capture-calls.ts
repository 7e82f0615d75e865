import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { CaptureAnswer } from '../../api/inspections.js';
import { flowAccessOf, flowCallOf, type GrantedAccess } from '../../auth/flow-call.js';
import { FlowAccess } from '../../auth/guards/flow-access.js';
import { Clock } from '../../common/clock.js';
import { shuttingDown } from '../../common/health/readiness.js';
import { sha256Hex } from '../../common/secrets/constant-time.js';
import { InvalidRequest, type ServiceError } from '../../common/service-error.js';
import { OutcomeUnknown } from '../../database/away.js';
import { runKey, sessionKey } from '../../database/writes/write-keys.js';
import { type ApiCall, apiCallOf, noteRequestTexts } from '../../executions/api-call.js';
import { CallCancelled, type CancelReason } from '../../executions/call-outcome.js';
import type { CallContext } from '../../executions/calls/call-context.js';
import { callKeyOf, fieldsFingerprint, whoIs } from '../../executions/calls/call-key.js';
import { type CallEnd, CallLifecycle } from '../../executions/calls/call-lifecycle.js';
import type { Flow } from '../../flows/definition/flow.js';
import { SessionAccess } from '../access/session-access.js';
import type { FactKind, RecordedFact } from '../facts/fact.js';
import {
  type CaptureBody,
  flowIdOf,
  namesFlow,
  readCaptureBody,
  withReadableDetails,
} from './capture-body.js';
import type { PhotographContent, Rejection } from './capture-command.js';
import { CaptureService } from './capture.service.js';
import { type CaptureUpload, PhotographIntake } from './photograph-intake.js';

/** The answer of a call; `replayed` if it is that of an earlier call with the same `Idempotency-Key`. */
export interface CaptureReply {
  httpStatus: number;
  body: CaptureAnswer;
  replayed: boolean;
}

/** Handles calls of `POST /inspection/capture`, with their checks in order (contract sections 1, 2 and 5). */
@Injectable()
export class CaptureCalls {
  constructor(
    private readonly access: FlowAccess,
    private readonly intake: PhotographIntake,
    private readonly lifecycle: CallLifecycle,
    private readonly captures: CaptureService,
    private readonly sessions: SessionAccess,
    private readonly clock: Clock,
  ) {}

  answer(request: Request): Promise<CaptureReply> {
    const call = apiCallOf(request);
    const answered = this.answerCall(request, call);
    call.opening = answered;
    return answered;
  }

  private async answerCall(request: Request, call: ApiCall): Promise<CaptureReply> {
    const upload = await this.intake.receive(request);
    try {
      noteRequestTexts(call, upload.fields);
      const { flow } = await this.admit(request, upload, call);
      const sent = readCaptureBody(upload.fields, upload.files);
      const body = await withReadableDetails(sent, (id) => this.sessions.mayReadReport(request, id));
      call.chatId = body.sessionId;
      const fingerprint = () =>
        fieldsFingerprint({ ...body, photographs: body.photographs.map(photographFields) });
      const key = callKeyOf(request, call, { place: `${flow.id} ${body.sessionId}`, fingerprint });
      const begun = await this.lifecycle.begin(call, key);
      if ('context' in begun) {
        return { httpStatus: 200, body: await this.run(begun.context, flow, body), replayed: false };
      }
      await this.intake.discard(upload.files);
      const { httpStatus, body: answer } = begun.replay;
      return { httpStatus, body: answer as CaptureAnswer, replayed: true };
    } catch (error) {
      // Once the record is open, the capture itself deletes the files unless their rows may have been committed.
      if (!call.recorded) await this.intake.discard(upload.files);
      throw error;
    }
  }

  /** Returns the access that the guards granted before the body was read (with `?flowId=`), else runs the checks now. */
  private async admit(request: Request, { fields }: CaptureUpload, call: ApiCall): Promise<GrantedAccess> {
    const namedFlow = flowCallOf(request)?.flowId;
    const access =
      namedFlow === undefined ? await this.access.admit(request, flowIdOf(fields)) : flowAccessOf(request);
    if (namedFlow !== undefined && namesFlow(fields) && flowIdOf(fields) !== namedFlow) {
      throw new InvalidRequest([{ path: 'flowId', message: 'names another flow than the address does' }]);
    }
    call.flowId = access.flow.id;
    call.flowName = access.flow.name;
    if (access.apiKeyId !== undefined) call.caller = { ...call.caller, apiKeyId: access.apiKeyId };
    return access;
  }

  private async run(context: CallContext, flow: Flow, body: CaptureBody): Promise<CaptureAnswer> {
    const { executionId, signal, call } = context;
    const command = {
      ...body,
      executionId,
      flowId: flow.id,
      receivedAt: call.startedAt,
      signal,
      who: whoIs(call.caller),
    };
    const draft = { account: flow.account, ...(body.remark === undefined ? {} : { question: body.remark }) };
    try {
      return await this.captures.capture(command, {
        opening: (tx) => this.lifecycle.open(tx, context, draft),
        opened: () => (call.recorded = true),
        closing: (tx, answer) => this.lifecycle.end(tx, this.endOf(context, answer)),
      });
    } catch (error) {
      const { cancelReason } = context;
      // A cancelled call may have been committed.
      const failure =
        cancelReason === undefined || error instanceof OutcomeUnknown
          ? error
          : cancellationError(cancelReason);
      throw await this.lifecycle.fail(context, failure, [sessionKey(body.sessionId), runKey(context.runId)]);
    } finally {
      this.lifecycle.over(context);
    }
  }

  private endOf(context: CallContext, answer: CaptureAnswer): CallEnd {
    const finishedAt = this.clock.now();
    const outcome = { status: 'succeeded', httpStatus: 200, answer: inWords(answer), finishedAt } as const;
    return { context, outcome, answer: { httpStatus: 200, body: answer } };
  }
}

const cancellationError = (reason: CancelReason): ServiceError =>
  reason === 'interrupted'
    ? shuttingDown('The service stopped before the batch was recorded. Send it again.')
    : new CallCancelled(reason, 'The capture was stopped. Send the batch again to record it.');

const photographFields = ({ content, ...details }: CaptureBody['photographs'][number]) => ({
  ...details,
  content: contentFields(content),
});

function contentFields(content: PhotographContent): string {
  if (content.kind === 'stored') return content.blob.sha256;
  if (content.kind === 'base64') return sha256Hex(content.data);
  if (content.kind === 'bytes') return sha256Hex(content.bytes);
  return content.kind === 'url' ? content.url : content.code;
}

/** The answer of a capture as one line, for the execution log. */
export const inWords = ({
  area,
  recorded,
  duplicates,
  rejected,
  recordedFacts = [],
  session,
}: CaptureAnswer): string =>
  [
    `${area ?? 'No area'}: ${recorded.length} recorded`,
    ...(recordedFacts.length > 0 ? [factsInWords(recordedFacts)] : []),
    ...(duplicates.length > 0 ? [`${duplicates.length} known`] : []),
    ...(rejected.length > 0 ? [`${rejected.length} rejected (${reasonsOf(rejected)})`] : []),
    `${session.pending} pending`,
  ].join(', ');

/** `2 observations, 1 reading`. */
function factsInWords(facts: readonly RecordedFact[]): string {
  const counts = new Map<FactKind, number>();
  for (const { kind } of facts) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const named = (kind: FactKind, count: number) => (kind === 'keys' || count === 1 ? kind : `${kind}s`);
  return [...counts].map(([kind, count]) => `${count} ${named(kind, count)}`).join(', ');
}

const MOST_REASONS = 5;

/** `photograph 2: The picture is damaged.`, numbered from 1. */
function reasonsOf(rejected: readonly Rejection[]): string {
  const reasons = rejected
    .slice(0, MOST_REASONS)
    .map(({ index, message }) => `photograph ${index + 1}: ${message}`);
  const more = rejected.length - reasons.length;
  return [...reasons, ...(more > 0 ? [`and ${more} more`] : [])].join(' ');
}
