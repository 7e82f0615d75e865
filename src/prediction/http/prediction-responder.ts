import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { retainBody } from '../../common/bodies/body-budget.js';
import { prefersAsync } from '../../common/http/prefers-async.js';
import { sha256Hex } from '../../common/secrets/constant-time.js';
import { InvalidRequest } from '../../common/service-error.js';
import { accountKey, chatKey, runKey, type WriteKey } from '../../database/writes/write-keys.js';
import { apiCallOf } from '../../executions/api-call.js';
import { Audiences } from '../../executions/calls/audiences.js';
import type { CallContext } from '../../executions/calls/call-context.js';
import { callKeyOf, fieldsFingerprint } from '../../executions/calls/call-key.js';
import { CallLifecycle } from '../../executions/calls/call-lifecycle.js';
import type { StoredAnswer } from '../../executions/calls/key-entry.js';
import type { Upload } from '../../flows/engine/node-kind.js';
import { HumanAnswers, type Start } from '../approvals/human-answers.js';
import type { AcceptedRun } from '../async/async-opening.js';
import { AsyncRuns } from '../async/async-runs.js';
import { Callbacks } from '../async/callbacks.js';
import type { AnswerForm, PredictionEnding } from '../call/answer-form.js';
import { endingOfStored } from '../call/prediction-answer.js';
import type { PredictionBody } from '../call/prediction-body.js';
import type { PredictionCall } from '../call/prediction-call.js';
import { PredictionService, type StartedRun } from '../run/prediction.service.js';
import { streamTo } from '../stream/event-stream.js';
import { LiveStreams } from '../stream/live-streams.js';
import { beginning } from '../stream/prediction-form.js';

/** Runs a flow and answers as JSON or as a stream (description section 4.1). */
@Injectable()
export class PredictionResponder {
  constructor(
    private readonly lifecycle: CallLifecycle,
    private readonly predictions: PredictionService,
    private readonly asyncRuns: AsyncRuns,
    private readonly answers: HumanAnswers,
    private readonly callbacks: Callbacks,
    private readonly audiences: Audiences,
    private readonly liveStreams: LiveStreams,
  ) {}

  /**
   * Answers a request. `read` makes its call, in any protocol, or throws its refusal. The body counts against the
   * memory budget until its run has ended, with or without a listener.
   */
  async respond(request: Request, response: Response, read: () => Promise<PredictionCall>): Promise<void> {
    const apiCall = apiCallOf(request);
    const release = retainBody(request);
    let started: BegunRun | undefined;
    try {
      const begun = this.begin(request, response, read);
      apiCall.opening = begun;
      started = await begun;
    } finally {
      if (started) void started.ending.then(release);
      else release();
    }
    if (started?.frames) streamTo(response, started.frames, 0);
    else if (started) answerOnce(response, started.form, await started.ending);
  }

  /** Begins a run. Returns undefined if a stored answer was replayed. Throws 400 for a `callbackUrl` that is not allowed. */
  private async begin(
    request: Request,
    response: Response,
    read: () => Promise<PredictionCall>,
  ): Promise<BegunRun | undefined> {
    const call = await read();
    const { form, flow } = call;
    const isAsync = form.async && prefersAsync(request);
    if (isAsync) this.callbacks.check(call);
    else if (call.body.callbackUrl !== undefined) throw onlyAsync();
    const fingerprint = () => callFingerprint(call.body);
    const key = callKeyOf(request, call.apiCall, { place: `${flow.id}${form.route}`, fingerprint });
    const begun = await this.lifecycle.begin(call.apiCall, key);
    if ('replay' in begun) {
      this.replay(response, call, begun.replay);
      return undefined;
    }
    const { context } = begun;
    try {
      // A run resumed by a human's answer does not depend on the connection.
      if (!isAsync && !call.body.humanInput) this.audiences.listen(context, response);
      const streamed = call.streamed && !isAsync;
      const wanted = { ...resumedInChat(context, call), streamed, paid: context.earlier?.paid === true };
      const start = await this.start(wanted, context, isAsync);
      if ('started' in start) return { ...start.started, form };
      if ('accepted' in start) answerAccepted(response, start.accepted);
      else this.replay(response, call, start.replay);
      return undefined;
    } catch (error) {
      this.lifecycle.over(context);
      throw await this.lifecycle.fail(context, error, touchedBy(call, context));
    }
  }

  /** Starts the run, or decides an approval. Throws the refusal. */
  private async start(call: PredictionCall, context: CallContext, isAsync: boolean): Promise<Start> {
    const { humanInput } = call.body;
    if (humanInput) return this.answers.answer(call, humanInput, context, isAsync);
    if (isAsync) return { accepted: await this.asyncRuns.accept(call, context) };
    return { started: await this.predictions.start(call, context) };
  }

  /** Replays a stored answer, as JSON or as a stream: INPROGRESS, one token, and the ending. */
  private replay(response: Response, call: PredictionCall, stored: StoredAnswer): void {
    const { apiCall, streamed, flow, form } = call;
    response.setHeader('Idempotent-Replay', 'true');
    if (stored.httpStatus === 202) return answerAccepted(response, stored.body as AcceptedRun);
    const ending = endingOfStored(stored, call.seesFailures);
    if (!streamed) return answerOnce(response, form, ending);
    const frames = this.liveStreams.open(apiCall.executionId, flow.id, form.stream(stored.executionId));
    frames.append(beginning);
    if ('answer' in ending) frames.append({ event: 'token', data: ending.answer.text });
    this.liveStreams.retire(frames, ending);
    streamTo(response, frames, 0);
  }
}

interface BegunRun extends StartedRun {
  form: AnswerForm;
}

function answerOnce(response: Response, form: AnswerForm, ending: PredictionEnding): void {
  if ('error' in ending) throw ending.error;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  const text = JSON.stringify(form.body(ending.answer));
  response.end(text.length > LARGE_ANSWER ? Buffer.from(text) : text);
}

/** Longer texts are encoded before they are written: for megabytes of text the socket takes ten times as long. */
const LARGE_ANSWER = 64 * 1024;

function answerAccepted(response: Response, { executionId, status, location }: AcceptedRun): void {
  response.status(202).set({ Location: location, 'Preference-Applied': 'respond-async' });
  response.json({ executionId, status });
}

const onlyAsync = (): InvalidRequest =>
  new InvalidRequest([
    { path: 'callbackUrl', message: 'is for calls with the header Prefer: respond-async' },
  ]);

/** Returns the call in the chat of the run that it resumes, which the service may have named. */
function resumedInChat({ earlier }: CallContext, call: PredictionCall): PredictionCall {
  const chatId = call.body.chatId === undefined ? earlier?.chatId : undefined;
  if (chatId === undefined) return call;
  call.apiCall.chatId = chatId;
  const body = { ...call.body, chatId };
  return { ...call, body, chatId, sessionId: body.sessionId ?? chatId };
}

/** Write keys for the end of a call without a run; undefined for a human's answer, which also writes another run. */
const touchedBy = ({ flow, chatId, body }: PredictionCall, { runId }: CallContext): WriteKey[] | undefined =>
  body.humanInput ? undefined : [chatKey(flow.id, chatId), accountKey(flow.account), runKey(runId)];

/**
 * Fingerprint of a call for its `Idempotency-Key` (contract section 1): the parsed fields and the SHA-256 of each file,
 * without `streaming`, since one answer serves both forms.
 */
const callFingerprint = ({ streaming: _, uploads, ...fields }: PredictionBody): string =>
  fieldsFingerprint({
    ...fields,
    vars: Object.fromEntries(fields.vars),
    startState: Object.fromEntries(fields.startState),
    otherOverrides: Object.fromEntries(fields.otherOverrides),
    uploads: uploads.map(uploadFields),
  });

const uploadFields = ({ type, name, mime, bytes, url }: Upload) => ({
  type,
  name,
  mime,
  content: bytes === undefined ? (url ?? '') : sha256Hex(bytes),
});
