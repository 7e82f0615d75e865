import type { ClickType } from '../../../src/api/execution-terms.js';
import {
  type Answer,
  jsonOf,
  listIn,
  objectIn,
  problemOf,
  type Progress,
  Refused,
  textIn,
  Unreachable,
} from '../../common/answer.js';
import { sendForm } from '../../common/send-form.js';
import { piecesOf } from './pieces.js';

/** The members of a prediction's body that this page sends. */
export interface Question {
  /** Absent beside a form, whose words the service takes for it. */
  question?: string;
  chatId: string;
  overrideConfig?: { vars: Record<string, string> };
  form?: Record<string, unknown>;
  humanInput?: { type: ClickType; startNodeId: string; feedback?: string };
  /** Uploaded photographs by their names at the service. */
  uploads?: { type: 'stored-file'; name: string; messageId: string }[];
}

/** The service sends a heartbeat every 15 seconds. */
const SILENCE_MS = 40_000;

/** The calls to one flow, each marked as coming through the share link. */
export class FlowService {
  key: string | undefined;
  /** Called when the service refuses the current key, or requires one. */
  onKeyRefused: () => void = () => undefined;

  constructor(private readonly flowId: string) {}

  /** Checks a key by asking for a stream that does not exist: the key is checked first, and nothing runs. */
  async opens(key: string): Promise<boolean> {
    return (await this.call('GET', `prediction/${this.path}/stream`, {}, key)).status !== 401;
  }

  /** Uploads a photograph before its message and resolves with its name at the service. */
  async attach(chatId: string, file: File, signal: AbortSignal, progress: Progress): Promise<string> {
    const form = new FormData();
    form.append('files', file, file.name);
    const path = `/api/v1/attachments/${this.path}/${encodeURIComponent(chatId)}`;
    const { key } = this;
    const answer = await sendForm(path, this.headers(key), form, signal, progress);
    this.reportRefusal(answer, key);
    if (answer.status !== 200) throw new Refused(await problemOf(answer));
    return textIn(objectIn(listIn(await jsonOf(answer))[0])['name']);
  }

  /**
   * Runs the flow once per `idempotencyKey`; a repeated call returns the stored answer. With `storedOnly` the flow never
   * runs: the answer is 410 when none is stored.
   */
  predict(
    question: Question,
    idempotencyKey: string,
    signal: AbortSignal,
    storedOnly: boolean,
  ): Promise<Answer> {
    const headers = {
      'Content-Type': 'application/json',
      'Idempotency-Key': idempotencyKey,
      ...(storedOnly ? { 'Idempotent-Replay': 'only' } : {}),
    };
    const body = JSON.stringify({ ...question, streaming: true });
    return this.call('POST', `prediction/${this.path}`, { headers, body, signal });
  }

  /** Resumes a broken stream. */
  resume(lastEventId: string, signal: AbortSignal): Promise<Answer> {
    const headers = { 'Last-Event-ID': lastEventId };
    return this.call('GET', `prediction/${this.path}/stream`, { headers, signal });
  }

  async stop(chatId: string): Promise<void> {
    await this.call('PUT', `chatmessage/abort/${this.path}/${encodeURIComponent(chatId)}`);
  }

  private get path(): string {
    return encodeURIComponent(this.flowId);
  }

  /** Returns the headers of every call, with the flow's key unless another is given. */
  headers(key = this.key): Record<string, string> {
    return {
      Accept: 'text/event-stream, application/json',
      'X-Share-Link': 'true',
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
    };
  }

  /** Reports a refusal of the key that a call was made with, unless it was replaced in the meantime. */
  reportRefusal({ status }: Pick<Answer, 'status'>, key: string | undefined): void {
    if (status === 401 && key === this.key) this.onKeyRefused();
  }

  private async call(method: string, path: string, init: RequestInit = {}, key = this.key): Promise<Answer> {
    const headers = { ...this.headers(key), ...(init.headers as Record<string, string> | undefined) };
    const response = await fetch(`/api/v1/${path}`, { ...init, method, headers, cache: 'no-store' }).catch(
      unreachable,
    );
    this.reportRefusal(response, key);
    const streamed = (response.headers.get('Content-Type') ?? '').startsWith('text/event-stream');
    return {
      status: response.status,
      header: (name) => response.headers.get(name),
      pieces: piecesOf(response, streamed ? SILENCE_MS : undefined),
    };
  }
}

function unreachable(error: unknown): never {
  throw new Unreachable('The service cannot be reached.', { cause: error });
}
