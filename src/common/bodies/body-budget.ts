import type { Request } from 'express';
import { declareBudget, QuotaExceeded } from '../budgets/budget.js';
import { clientAddress } from '../http/client-address.js';
import { Overloaded, ServiceError } from '../service-error.js';

const MEGABYTE = 1024 * 1024;

/** Memory for the bodies of all calls in flight, and for those of one address. */
const BUDGET = declareBudget({
  name: 'request bodies in memory',
  unit: 'bytes',
  owner: 'address',
  share: 128 * MEGABYTE,
  total: 256 * MEGABYTE,
  beyond: '429 quota_exceeded; in all 503 overloaded',
  reason:
    'Thirty phones behind one address send photographs of 3 MB as JSON at once; files of forms go to the disk as they arrive.',
});
export const { total: BODY_BUDGET_BYTES, share: ADDRESS_BUDGET_BYTES } = BUDGET;

/** Bytes of each body that are not counted: a call that sends a message never waits for those that send photographs. */
export const FREE_BYTES = 64 * 1024;

/** The bytes that a call holds in memory, and the number of their users: its answer, a run without a listener. */
interface Held {
  readonly address: string;
  bytes: number;
  users: number;
}

const bodies = new WeakMap<Request, Held>();
let inUse = 0;
const inUseBy = new Map<string, number>();

/**
 * Counts bytes that a call holds in memory until it is answered: its body, or content that its body refers to. Throws
 * 429 `quota_exceeded` when other calls of its address have used up the share of an address, and 503 `overloaded` when
 * other calls have used up the budget. While no other call holds anything, a body may be as large as its own limit allows.
 */
export function holdBody(request: Request, bytes: number): void {
  const body = bodyOf(request);
  const before = counted(body.bytes);
  const more = counted(body.bytes + bytes) - before;
  const ofAddress = inUseBy.get(body.address) ?? 0;
  if (more > 0 && ofAddress > before && ofAddress + more > BUDGET.share) throw new QuotaExceeded(BUDGET, 1);
  if (more > 0 && inUse > before && inUse + more > BUDGET.total) throw budgetExceeded();
  body.bytes += bytes;
  use(body.address, more);
}

function use(address: string, bytes: number): void {
  inUse += bytes;
  const left = (inUseBy.get(address) ?? 0) + bytes;
  if (left > 0) inUseBy.set(address, left);
  else inUseBy.delete(address);
}

/** Keeps the bytes of a call counted after its answer, until the returned function is called. */
export function retainBody(request: Request): () => void {
  const body = bodyOf(request);
  body.users += 1;
  let held = true;
  return () => {
    if (held) leave(request, body);
    held = false;
  };
}

function bodyOf(request: Request): Held {
  const known = bodies.get(request);
  if (known) return known;
  // The response emits no further `close`: the bytes would never be released.
  if (request.res?.closed) throw wentAway();
  const body = { address: clientAddress(request), bytes: 0, users: 1 };
  bodies.set(request, body);
  request.res?.once('close', () => leave(request, body));
  return body;
}

function leave(request: Request, body: Held): void {
  body.users -= 1;
  if (body.users > 0) return;
  bodies.delete(request);
  use(body.address, -counted(body.bytes));
}

/** The part of the budget for bodies of stored async calls; the rest is for calls as they arrive. */
export const STORED_BUDGET_BYTES = BODY_BUDGET_BYTES / 4;

interface Reading {
  bytes: number;
  begin(): void;
}

const readings: Reading[] = [];
let storedInUse = 0;

/**
 * Reserves memory for a body that is read back from the store, first come, first served. A body larger than the whole
 * budget is read alone. Resolves with a function that releases the reservation. Rejects with the signal's reason.
 */
export async function reserveToRead(bytes: number, signal: AbortSignal): Promise<() => void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const leaveLine = () => {
      readings.splice(readings.indexOf(reading), 1);
      reject(signal.reason as Error);
      admit();
    };
    const begin = () => {
      signal.removeEventListener('abort', leaveLine);
      resolve();
    };
    const reading = { bytes: counted(bytes), begin };
    readings.push(reading);
    signal.addEventListener('abort', leaveLine, { once: true });
    admit();
  });
  let held = true;
  return () => {
    if (held) take(-counted(bytes));
    held = false;
    admit();
  };
}

function admit(): void {
  for (let next = readings[0]; next !== undefined; next = readings[0]) {
    if (storedInUse > 0 && storedInUse + next.bytes > STORED_BUDGET_BYTES) return;
    readings.shift();
    take(next.bytes);
    next.begin();
  }
}

function take(bytes: number): void {
  storedInUse += bytes;
  inUse += bytes;
}

const counted = (bytes: number): number => Math.max(0, bytes - FREE_BYTES);

const budgetExceeded = () =>
  new Overloaded(
    'The service holds as many large bodies as it can. Try again after the seconds in Retry-After.',
    1,
  );

const wentAway = (): ServiceError =>
  new ServiceError('invalid_request', 'The caller went away before the call had begun. Send it again.');
