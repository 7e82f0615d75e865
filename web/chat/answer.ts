/** What the service said to a call: its body comes in pieces, as it arrives. */
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
  retryAfterSeconds?: number;
}

/** Bytes. */
export type Progress = (sent: number, total: number) => void;

/** Thrown when no answer came: the network, not the service, is at fault. */
export class Unreachable extends Error {}

export async function textOf(answer: Answer): Promise<string> {
  let text = '';
  for await (const piece of answer.pieces) text += piece;
  return text;
}

export async function jsonOf(answer: Answer): Promise<Record<string, unknown>> {
  const value: unknown = JSON.parse(await textOf(answer));
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

export async function problemOf(answer: Answer): Promise<Problem> {
  const body = await jsonOf(answer).catch((): Record<string, unknown> => ({}));
  const seconds = Number(answer.header('Retry-After') ?? NaN);
  return {
    status: answer.status,
    code: typeof body['code'] === 'string' ? body['code'] : '',
    sentence:
      typeof body['message'] === 'string' ? body['message'] : 'The service did not answer as expected.',
    ...(Number.isFinite(seconds) ? { retryAfterSeconds: seconds } : {}),
  };
}
