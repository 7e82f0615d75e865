import { STATUS_CODES } from 'node:http';
import type { Readable } from 'node:stream';
import { isJsonObject } from '../engine/json.js';
import { errorIn } from './chat-chunk.js';
import { arriving } from './chat-reader.js';

const MOST_READ = 64 * 1024;

/** Reads a refusal: the message in its JSON, its text, or the name of its status for a web page. */
export async function refusalText(status: number, body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of arriving(body)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MOST_READ) break;
  }
  const text = Buffer.concat(chunks).subarray(0, MOST_READ).toString('utf8').trim();
  const refusal = messageIn(text);
  if (refusal !== undefined) return refusal;
  const name = STATUS_CODES[status] ?? 'no reason was given';
  if (text === '') return name;
  return text.startsWith('<') ? `${name} (a web page)` : text;
}

function messageIn(text: string): string | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  const error = errorIn(body);
  if (error) return error.message;
  if (!isJsonObject(body)) return undefined;
  const { message, detail } = body;
  if (typeof message === 'string') return message;
  if (detail === undefined) return message === undefined ? undefined : JSON.stringify(message);
  return typeof detail === 'string' ? detail : JSON.stringify(detail);
}
