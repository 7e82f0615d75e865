import type { Request } from 'express';
import { declareBudget, QuotaExceeded } from '../budgets/budget.js';
import { clientAddress } from '../http/client-address.js';
import { Overloaded, ServiceError } from '../service-error.js';

const MEGABYTE = 1024 * 1024;

/** Memory that the bodies of all calls under way may take together, and those of one address. */
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
export const { total: BODY_ROOM_BYTES, share: ADDRESS_ROOM_BYTES } = BUDGET;

/** The beginning of each body is free: a call that sends a message never waits for those that send photographs. */
export const FREE_BYTES = 64 * 1024;

/** The bytes that a call keeps in memory, and how many still need them: its answer, a run without a listener. */
interface Held {
  readonly address: string;
  bytes: number;
  users: number;
}

const bodies = new WeakMap<Request, Held>();
let inUse = 0;
const inUseBy = new Map<string, number>();

/**
 * Counts bytes that a call keeps in memory until it has been answered: of its body, or of what its body names. Throws
 * 429 `quota_exceeded` when other calls of its address have used up the share of one, 503 `overloaded` when other calls
 * have used up the room: calls are refused before the memory is gone. A body that has the room for itself may be as large
 * as its own limit allows.
 */
export function holdBody(request: Request, bytes: number): void {
  const body = bodyOf(request);
  const before = counted(body.bytes);
  const more = counted(body.bytes + bytes) - before;
  const ofAddress = inUseBy.get(body.address) ?? 0;
  if (more > 0 && ofAddress > before && ofAddress + more > BUDGET.share) throw new QuotaExceeded(BUDGET, 1);
  if (more > 0 && inUse > before && inUse + more > BUDGET.total) throw noRoom();
  body.bytes += bytes;
  use(body.address, more);
}

function use(address: string, bytes: number): void {
  inUse += bytes;
  const left = (inUseBy.get(address) ?? 0) + bytes;
  if (left > 0) inUseBy.set(address, left);
  else inUseBy.delete(address);
}

/** Keeps the room reserved until the answered function is called, whether or not the caller still listens. */
export function keepBody(request: Request): () => void {
  const body = bodyOf(request);
  body.users += 1;
  let kept = true;
  return () => {
    if (kept) leave(request, body);
    kept = false;
  };
}

function bodyOf(request: Request): Held {
  const known = bodies.get(request);
  if (known) return known;
  // The response emits no further `close`: nothing would give the room back.
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

/** Calls that the store holds until their turn take up to this much of the room; the rest is for calls as they arrive. */
export const STORED_ROOM_BYTES = BODY_ROOM_BYTES / 4;

interface Reading {
  bytes: number;
  begin(): void;
}

const readings: Reading[] = [];
let storedInUse = 0;

/**
 * Room for a body that is read back from the store, in the order of asking; a body larger than all of the room has it
 * alone. Resolves with a function that gives it back. Rejects with the signal's reason, holding nothing.
 */
export async function roomToRead(bytes: number, signal: AbortSignal): Promise<() => void> {
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
  let kept = true;
  return () => {
    if (kept) take(-counted(bytes));
    kept = false;
    admit();
  };
}

function admit(): void {
  for (let next = readings[0]; next !== undefined; next = readings[0]) {
    if (storedInUse > 0 && storedInUse + next.bytes > STORED_ROOM_BYTES) return;
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

const noRoom = () =>
  new Overloaded(
    'The service holds as many large bodies as it can. Try again after the seconds in Retry-After.',
    1,
  );

const wentAway = (): ServiceError =>
  new ServiceError('invalid_request', 'The caller went away before the call had begun. Send it again.');
