import { isJsonObject } from '../engine/json.js';

/** An unchecked message of OpenAI's chat protocol: a chunk of a stream, or a whole answer. */
export type ChatChunk = Record<string, unknown>;

/** Returns the first choice; undefined for chunks that only count tokens or keep the connection alive. */
export function choiceOf({ choices }: ChatChunk): Record<string, unknown> | undefined {
  const first = Array.isArray(choices) ? (choices as unknown[])[0] : undefined;
  return isJsonObject(first) ? first : undefined;
}

/** Returns the texts in a message's content: a text, or a list of parts of which some are reasoning. */
export function textsOf(content: unknown): { text: string; thinking: string } {
  if (typeof content === 'string') return { text: content, thinking: '' };
  const texts = { text: '', thinking: '' };
  for (const part of Array.isArray(content) ? (content as unknown[]) : []) {
    if (!isJsonObject(part)) continue;
    if (typeof part['text'] === 'string') texts.text += part['text'];
    if (part['thinking'] !== undefined) texts.thinking += textsOf(part['thinking']).text;
  }
  return texts;
}

/** Reads an `error` member in the forms of several servers; undefined when there is none. */
export function errorIn(
  value: unknown,
): { message: string; status: number | undefined; kind: string } | undefined {
  const body = Array.isArray(value) ? (value as unknown[])[0] : value;
  if (!isJsonObject(body)) return undefined;
  const { error = undefined } = body;
  if (error === undefined || error === null || error === false) return undefined;
  const { message, code, status, type, metadata } = isJsonObject(error) ? error : { message: error };
  const number = [code, status].map(Number).find((found) => found >= 400 && found < 600);
  const detail = isJsonObject(metadata) && typeof metadata['raw'] === 'string' ? `: ${metadata['raw']}` : '';
  return {
    message: (typeof message === 'string' ? message : JSON.stringify(error).slice(0, 2_000)) + detail,
    status: number,
    kind: [type, code, status].filter((word) => typeof word === 'string').join(' '),
  };
}
