import type { Request } from 'express';
import { ServiceError } from './service-error.js';

/** What the bodies of all calls under way may take of the process's memory together. */
export const BODY_ROOM_BYTES = 256 * 1024 * 1024;

/** The beginning of each body is free: a call that sends a message never waits for those that send photographs. */
export const FREE_BYTES = 64 * 1024;

/** What a call keeps in memory, and how many still need it: its answer, the run that goes on without a listener. */
interface Held {
  bytes: number;
  users: number;
}

const bodies = new WeakMap<Request, Held>();
let inUse = 0;

/**
 * Counts bytes that a call keeps in memory until it has been answered: of its body, or of what its body names. Throws
 * 503 `overloaded` when other calls have used up the room: calls are refused before the memory is gone. A body that has
 * the room for itself may be as large as its own limit allows.
 */
export function holdBody(request: Request, bytes: number): void {
  const body = bodyOf(request);
  const before = counted(body.bytes);
  const more = counted(body.bytes + bytes) - before;
  if (more > 0 && inUse > before && inUse + more > BODY_ROOM_BYTES) throw noRoom();
  body.bytes += bytes;
  inUse += more;
}

/** Keeps the room taken until it is let go as well, whether or not the caller still listens. */
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
  // Nobody would ever give the room back.
  if (request.res?.closed) throw wentAway();
  const body = { bytes: 0, users: 1 };
  bodies.set(request, body);
  request.res?.once('close', () => leave(request, body));
  return body;
}

function leave(request: Request, body: Held): void {
  body.users -= 1;
  if (body.users > 0) return;
  bodies.delete(request);
  inUse -= counted(body.bytes);
}

const counted = (bytes: number): number => Math.max(0, bytes - FREE_BYTES);

const noRoom = (): ServiceError =>
  new ServiceError(
    503,
    'overloaded',
    'The service holds as many large bodies as it can. Try again after the seconds in Retry-After.',
    { headers: { 'Retry-After': '1' } },
  );

const wentAway = (): ServiceError =>
  new ServiceError(400, 'invalid_request', 'The caller went away before the call had begun. Send it again.');
