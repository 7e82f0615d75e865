import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Request } from 'express';
import { flowAccessOf, flowCallOf, type GrantedAccess } from '../../auth/flow-access.js';
import { FlowDoor } from '../../auth/flow-door.js';
import { sha256Hex } from '../../common/constant-time.js';
import { Readiness, shuttingDown } from '../../common/readiness.js';
import { InvalidRequest, ServiceError } from '../../common/service-error.js';
import { type ApiCall, apiCallOf } from '../../executions/api-call.js';
import { noteAsked } from '../../executions/asked-texts.js';
import { fieldsFingerprint, idempotencyKeyOf, wantsReplayAlone } from '../../executions/idempotency-key.js';
import { CaptureService } from '../capture.service.js';
import { type CaptureBody, flowIdOf, readCaptureBody } from './capture-body.js';
import type { CaptureAnswer, CaptureCommand, PhotographContent } from './capture-command.js';
import { CaptureExecutions } from './capture-executions.js';
import { type CaptureUpload, CaptureUploads } from './capture-upload.js';

/** What a call is answered; `replayed` when an earlier call under its `Idempotency-Key` had the answer. */
export interface CaptureReply {
  httpStatus: number;
  body: CaptureAnswer;
  replayed: boolean;
}

/** One call of `POST /inspection/capture`, through its checks in their order (contract sections 1, 2 and 5). */
@Injectable()
export class CaptureCalls implements OnModuleInit {
  private readonly running = new Map<string, AbortController>();

  constructor(
    private readonly door: FlowDoor,
    private readonly uploads: CaptureUploads,
    private readonly executions: CaptureExecutions,
    private readonly captures: CaptureService,
    private readonly readiness: Readiness,
  ) {}

  onModuleInit(): void {
    this.executions.onCancel((executionId) => {
      this.running.get(executionId)?.abort(stopped());
      return this.running.has(executionId);
    });
    this.readiness.onLastCallOver(() => {
      for (const capture of this.running.values()) capture.abort(cutShort());
    });
  }

  answer(request: Request): Promise<CaptureReply> {
    const call = apiCallOf(request);
    const answered = this.answerCall(request, call);
    call.opening = answered;
    return answered;
  }

  private async answerCall(request: Request, call: ApiCall): Promise<CaptureReply> {
    const upload = await this.uploads.read(request);
    try {
      noteAsked(call, upload.fields);
      const access = await this.admit(request, upload, call);
      const body = readCaptureBody(upload.fields, upload.files);
      call.chatId = body.sessionId;
      const replay = await this.replay(request, call, access, body);
      if (replay) {
        await this.uploads.discard(upload.files);
        return replay;
      }
      return { httpStatus: 200, body: await this.run(request, call, access, body), replayed: false };
    } catch (error) {
      // Whatever the capture took over it has removed or, where its rows may be durable, kept.
      if (!this.executions.wasOpened(call)) await this.uploads.discard(upload.files);
      throw error;
    }
  }

  /** With `?flowId=` the guards have let the call in before its body was read; else they are asked now. */
  private async admit(request: Request, { fields }: CaptureUpload, call: ApiCall): Promise<GrantedAccess> {
    const asked = flowCallOf(request)?.flowId;
    const access =
      asked === undefined ? await this.door.admit(request, flowIdOf(fields)) : flowAccessOf(request);
    const named = typeof fields === 'object' && fields !== null && Object.hasOwn(fields, 'flowId');
    if (asked !== undefined && named && flowIdOf(fields) !== asked) {
      throw new InvalidRequest([{ path: 'flowId', message: 'names another flow than the address does' }]);
    }
    call.flowId = access.flow.id;
    call.flowName = access.flow.name;
    if (access.apiKeyId !== undefined) call.caller = { ...call.caller, apiKeyId: access.apiKeyId };
    return access;
  }

  private async replay(
    request: Request,
    call: ApiCall,
    { flow, address, apiKeyId }: GrantedAccess,
    body: CaptureBody,
  ): Promise<CaptureReply | undefined> {
    const key = idempotencyKeyOf(request);
    const replayAlone = wantsReplayAlone(request);
    if (key === undefined) return undefined;
    const keyed = {
      scope: `capture ${whoIs({ address, apiKeyId })} ${flow.id} ${body.sessionId}`,
      key,
      fingerprint: fieldsFingerprint({ ...body, photographs: body.photographs.map(photographFields) }),
      executionId: call.executionId,
    };
    const kept = await this.executions.replay(keyed, replayAlone);
    if (!kept) return undefined;
    call.replays = { executionId: kept.executionId, status: kept.status };
    return { httpStatus: kept.httpStatus, body: kept.body as CaptureAnswer, replayed: true };
  }

  private async run(
    request: Request,
    call: ApiCall,
    { flow, ...access }: GrantedAccess,
    body: CaptureBody,
  ): Promise<CaptureAnswer> {
    if (this.readiness.isLastCallOver) throw shuttingDown();
    const abort = new AbortController();
    const command: CaptureCommand = {
      ...body,
      executionId: call.executionId,
      flowId: flow.id,
      receivedAt: call.startedAt,
      signal: abort.signal,
      who: whoIs(access),
    };
    this.running.set(call.executionId, abort);
    try {
      const keepsAnswer = idempotencyKeyOf(request) !== undefined;
      return await this.captures.capture(command, this.executions.listener(call, flow, body, keepsAnswer));
    } catch (error) {
      throw await this.executions.fail(call, abort.signal.aborted ? abort.signal.reason : error);
    } finally {
      this.running.delete(call.executionId);
    }
  }
}

const stopped = (): ServiceError =>
  new ServiceError(499, 'aborted', 'The capture was stopped. Send the batch again to record it.');

const cutShort = (): ServiceError =>
  shuttingDown('The service stopped before the batch was recorded. Send it again.');

/** Behind a key stands one caller, wherever it calls from. */
const whoIs = ({ address, apiKeyId }: { address: string; apiKeyId?: string | undefined }): string =>
  apiKeyId === undefined ? `address:${address}` : `key:${apiKeyId}`;

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
