/**
 * The reason why a model gave no answer:
 * - `rate_limited`: 429; `unavailable`: 5xx, 408, 409, overload; `rejected`: any other refusal (4xx);
 * - `unreachable`: no answer; `cut_off`: the connection was lost during the answer; `failed`: an error within the answer;
 * - `unreadable`: an answer in an unknown form (a web page); `empty`: one without content;
 * - `endless`: one that is too long or takes too long; `unsupported`: the model does not support the pictures, recordings,
 *   tools or form of answer of the request; `declined`: the model refuses to answer in the requested form.
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
  /** Overrides the default, if the provider says whether a retry helps. */
  mayPass?: boolean;
  cause?: unknown;
}

/** A model gave no answer; the message is for the flow's owner and contains no secret. */
export class ModelError extends Error {
  readonly status: number | undefined;
  /** Milliseconds until the provider accepts another call. */
  readonly retryAfterMs: number | undefined;
  /** True if a retry may succeed a little later. */
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

/** Returns the fault of an HTTP status. */
export function faultOfStatus(status: number): ModelFault {
  if (status === 429) return 'rate_limited';
  return status >= 500 || status === 408 || status === 409 ? 'unavailable' : 'rejected';
}
