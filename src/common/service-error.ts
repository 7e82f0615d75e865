import { type ProblemCode, statusOfCode } from '../api/problems.js';

/** One fault of a body, with its path (`photographs.0.data`). */
export interface Fault {
  path: string;
  message: string;
}

/** A byte that is not text in its charset; `offset` counts bytes as they were sent. */
export interface EncodingFault {
  /** The field of a form; absent for a body that is one text. */
  path?: string;
  message: string;
  offset: number;
}

/** Further members of an error's answer. */
interface ErrorExtras {
  errors?: readonly (Fault | EncodingFault)[];
  /** Response headers, such as `Retry-After`. */
  headers?: Readonly<Record<string, string>>;
  /** Further members of the problem body, such as `failedNode`. */
  members?: Readonly<Record<string, unknown>>;
  cause?: unknown;
}

/**
 * An error for callers: status, stable snake_case code, and a sentence that says what to do next (contract section 1). Any
 * other thrown value becomes 500 `internal_error`.
 */
export class ServiceError extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: ErrorExtras['errors'] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;

  /** `problem` is a registered code, or a status and code from a record or another service. */
  constructor(
    problem: ProblemCode | { status: number; code: string },
    detail: string,
    extras: ErrorExtras = {},
  ) {
    super(detail, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = 'ServiceError';
    this.code = typeof problem === 'string' ? problem : problem.code;
    this.status = typeof problem === 'string' ? statusOfCode(problem) : problem.status;
    this.errors = extras.errors;
    this.headers = extras.headers ?? {};
    this.members = extras.members ?? {};
  }
}

/** 400: the body breaks its schema; lists each fault with its path. */
export class InvalidRequest extends ServiceError {
  declare readonly errors: readonly Fault[];

  constructor(
    errors: readonly Fault[],
    detail = 'The request is not valid. Correct the members listed in errors.',
  ) {
    super('invalid_request', detail, { errors });
  }

  /** The faults in one line. */
  get summary(): string {
    return this.errors.map(({ path, message }) => `${path} ${message}`.trim()).join('; ');
  }
}

/** 404 for anything but a flow on a public route. Does not count toward the address block. */
export class NotFound extends ServiceError {
  constructor(what: string) {
    super('not_found', `${what} does not exist. Check the id.`);
  }
}

/** 404 for a flow on a public route. Counts toward the address block (description section 8). */
export class FlowNotFound extends ServiceError {
  constructor() {
    super('flow_not_found', 'There is no flow with this id. Check the id that was sent.');
  }
}

/** 503: the service has no capacity for this call now and did nothing of it. Carries `Retry-After`. */
export class Overloaded extends ServiceError {
  constructor(detail: string, retryAfterSeconds: number, cause?: unknown) {
    super('overloaded', detail, { headers: { 'Retry-After': String(retryAfterSeconds) }, cause });
  }
}
