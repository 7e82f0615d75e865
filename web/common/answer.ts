/** A response of the service: its body comes in pieces, as it arrives. */
export interface Answer {
  status: number;
  header(name: string): string | null;
  pieces: AsyncIterable<string>;
}

/** A refusal, in the service's own words. */
export interface Problem {
  status: number;
  code: string;
  sentence: string;
  /** Members of the body that were at fault. */
  paths: string[];
  retryAfterSeconds?: number;
  /** The record of the call. */
  executionId?: string;
}

/** Bytes. */
export type Progress = (sent: number, total: number) => void;

/** Thrown when no answer came: the network, not the service, is at fault. */
export class Unreachable extends Error {}

/** Thrown by calls that have nothing to show when they are refused. */
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

/** An object's members, whatever was there. */
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
