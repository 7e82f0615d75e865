/** A response of the service, whose body arrives in pieces. */
export interface Answer {
  status: number;
  header(name: string): string | null;
  pieces: AsyncIterable<string>;
}

/** An error response of the service. */
export interface Problem {
  status: number;
  code: string;
  sentence: string;
  /** Paths of the members of the body that are invalid. */
  paths: string[];
  retryAfterSeconds?: number;
  /** The id of the call's execution record. */
  executionId?: string;
}

/** Returns whether the service is busy or restarts, or a proxy does not reach it: the same call may pass later. */
export const isUnavailable = ({ status }: Pick<Problem, 'status'>): boolean =>
  status === 502 || status === 503 || status === 504;

/** Bytes. */
export type Progress = (sent: number, total: number) => void;

/** Thrown when there is no answer, because of the network rather than the service. */
export class Unreachable extends Error {}

/** Thrown by calls that the service refuses. */
export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.sentence);
  }
}

export async function textOf(answer: Answer): Promise<string> {
  let text = '';
  for await (const piece of answer.pieces) text += piece;
  return text;
}

export async function jsonOf(answer: Answer): Promise<unknown> {
  return JSON.parse(await textOf(answer));
}

export type Json = Record<string, unknown>;

/** Returns an object, empty if `value` is not one. */
export const objectIn = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {};
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
export const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export async function problemOf(answer: Answer): Promise<Problem> {
  const body = objectIn(await jsonOf(answer).catch(() => undefined));
  const seconds = Number(answer.header('Retry-After') ?? NaN);
  return {
    status: answer.status,
    code: textIn(body['code']),
    sentence: textIn(body['message']) || 'The service did not answer as expected.',
    paths: listIn(body['errors']).map((fault) => textIn(objectIn(fault)['path'])),
    ...(Number.isFinite(seconds) ? { retryAfterSeconds: seconds } : {}),
    ...(answer.header('X-Execution-Id') ? { executionId: answer.header('X-Execution-Id')! } : {}),
  };
}
