import type { Request } from 'express';
import { JsonBuffer } from '../json/json-buffer.js';
import { jsonValuesOf, ValueBudget } from '../json/json-limits.js';
import { declaredCharset } from '../texts/charset.js';
import { holdBody } from './body-budget.js';
import { brokenOff, checkLength, mediaType, tooLarge, unsupported } from './body-checks.js';
import { PATIENCE_MS, whenStalled } from './body-patience.js';
import { askForBody } from './expect-continue.js';

interface JsonBodyOptions {
  /** True if the route takes forms too, which the refusal of another type then names. */
  takesForms?: boolean;
  patienceMs?: number;
}

/**
 * Reads and parses a JSON body of at most `limit` bytes and `jsonValuesOf` values; a larger one is refused as it arrives.
 * The body is decoded by its declared charset. Throws 415 for an unknown charset, 400 `invalid_encoding` for bytes that
 * are not text in it, and 408 for a body that stalls. Returns `undefined` when there is no body.
 */
export async function readJsonBody(
  request: Request,
  limit: number,
  { takesForms = false, patienceMs = PATIENCE_MS }: JsonBodyOptions = {},
): Promise<unknown> {
  const type = mediaType(request);
  if (type !== '' && type !== 'application/json' && !type.endsWith('+json')) {
    throw unsupported(`Send the body as application/json${takesForms ? ' or multipart/form-data' : ''}.`);
  }
  checkLength(request, limit);
  const charset = declaredCharset(request.headers['content-type']);
  askForBody(request);
  const expected = Number(request.headers['content-length'] ?? 0);
  const json = new JsonBuffer(new ValueBudget(jsonValuesOf(request)), { charset, expected });
  await readInto(json, request, limit, patienceMs);
  return json.parse();
}

function readInto(json: JsonBuffer, request: Request, limit: number, patienceMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let size = 0;
    const refuse = (error: Error) => {
      stopLooking();
      request.removeAllListeners('data');
      request.resume();
      reject(error);
    };
    const stopLooking = whenStalled(request, refuse, patienceMs);
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) return refuse(tooLarge(limit));
      try {
        holdBody(request, json.push(chunk));
      } catch (error) {
        refuse(error as Error);
      }
    });
    request.once('end', resolve);
    request.once('error', () => reject(brokenOff()));
    request.once('close', () => {
      if (!request.readableEnded) reject(brokenOff());
    });
  });
}
