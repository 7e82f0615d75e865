/**
 * Why a model gave no answer:
 * - `rate_limited` 429; `unavailable` 5xx, 408, 409, overload; `rejected` any other refusal of the request (4xx);
 * - `unreachable` no answer came; `cut_off` the connection broke while it answered; `failed` an error told within the answer;
 * - `unreadable` an answer in no form that is known (a web page, garbage); `empty` one without any content;
 * - `endless` longer, in size or time, than any answer; `unsupported` pictures, recordings, tools or a form of answer
 *   that this model does not take; `declined` it says that it will not answer where no words can stand for an answer.
 */
export type ModelFault =
  | 'rate_limited'
  | 'unavailable'
  | 'rejected'
  | 'unreachable'
  | 'cut_off'
  | 'failed'
  | 'unreadable'
  | 'empty'
  | 'endless'
  | 'unsupported'
  | 'declined';

const PASSING: ReadonlySet<ModelFault> = new Set(['rate_limited', 'unavailable', 'unreachable', 'cut_off']);

export interface ModelErrorDetails {
  status?: number | undefined;
  retryAfterMs?: number | undefined;
  /** Where the provider itself says so. */
  mayPass?: boolean;
  cause?: unknown;
}

/** A model gave no answer; the message is for the flow's owner and holds no secret. */
export class ModelError extends Error {
  readonly status: number | undefined;
  /** Milliseconds for which the provider wants no further call. */
  readonly retryAfterMs: number | undefined;
  /** Whether the same question may be answered a little later. */
  readonly mayPass: boolean;

  constructor(
    readonly fault: ModelFault,
    message: string,
    { status, retryAfterMs, mayPass, cause }: ModelErrorDetails = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ModelError';
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.mayPass = mayPass ?? PASSING.has(fault);
  }
}

/** The fault that an HTTP status stands for. */
export function faultOfStatus(status: number): ModelFault {
  if (status === 429) return 'rate_limited';
  return status >= 500 || status === 408 || status === 409 ? 'unavailable' : 'rejected';
}
