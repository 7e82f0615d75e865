/** One fault of a request: its path (`nodes.0.config`) and a message. */
export interface Fault {
  path: string;
  message: string;
}

/** Thrown when a call is refused or does not arrive (`status` 0, code `unreachable`). `message` can be shown. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    readonly errors: readonly Fault[] = [],
    readonly executionId?: string,
    /** The wait that the service asks for, in milliseconds. */
    readonly retryAfterMs?: number,
  ) {
    super(detail);
  }
}

export const unreachable = (): ApiError =>
  new ApiError(0, 'unreachable', 'The service cannot be reached. Check the connection and try again.');

/** Returns whether a retry of the same call may succeed. */
export const mayPass = (error: unknown): boolean =>
  !(error instanceof ApiError) || [0, 408, 429].includes(error.status) || error.status >= 500;

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Reads `application/problem+json`. Any other answer, such as a proxy's, is described by its status. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  const problem = isObject(body) ? body : {};
  const text = (name: string) => (typeof problem[name] === 'string' ? problem[name] : undefined);
  const errors = Array.isArray(problem['errors']) ? problem['errors'].flatMap(faultIn) : [];
  return new ApiError(
    response.status,
    text('code') ?? 'unknown',
    text('detail') ?? text('message') ?? `The service answered with status ${response.status}.`,
    errors,
    text('executionId') ?? response.headers.get('X-Execution-Id') ?? undefined,
    waitIn(response.headers.get('Retry-After')),
  );
}

/** Reads `Retry-After` in seconds; dates are ignored. */
function waitIn(retryAfter: string | null): number | undefined {
  const seconds = Number(retryAfter ?? NaN);
  return Number.isFinite(seconds) ? Math.max(1, seconds) * 1_000 : undefined;
}

function faultIn(value: unknown): Fault[] {
  if (!isObject(value)) return [];
  const { path, message } = value;
  return typeof path === 'string' && typeof message === 'string' ? [{ path, message }] : [];
}
