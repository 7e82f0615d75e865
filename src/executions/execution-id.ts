import { randomFillSync } from 'node:crypto';
import { NotFound } from '../common/service-error.js';

const POOL_BYTES = 4096;
const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;
let lastMs = -1;
let counter = 0;

/**
 * Creates a UUID version 7 with the time `startedAt` (epoch ms), so that ids sort by start and a range of time is a
 * range of ids. Within one millisecond ids rise: the time is followed by a 32-bit counter that begins at random below
 * 2^31, then 40 random bits.
 */
export function newExecutionId(startedAt: number): string {
  if (used + 9 > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  counter = startedAt === lastMs ? counter + 1 : pool.readUInt32BE(used) >>> 1;
  lastMs = startedAt;
  const random = pool.toString('hex', used + 4, used + 9);
  used += 9;
  return orderedId(startedAt, counter, random);
}

/** Creates an id that sorts by its instant (epoch ms), then by place. Ten hex digits distinguish equal ones. */
export function orderedId(epochMs: number, place: number, digits: string): string {
  const count = place.toString(16).padStart(8, '0');
  return `${timePart(epochMs)}-7${count.slice(0, 3)}-8${count.slice(3, 6)}-${count.slice(6)}${digits}`;
}

/** Returns the lowest id of a call begun at this instant, the bound of a range of time. */
export const firstIdAt = (epochMs: number): string => `${timePart(epochMs)}-7000-8000-000000000000`;

/** Returns the instant (epoch ms) at which the call with this id began. */
export const startedAtIn = (id: string): number => parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** Returns true if the text has the form of an execution's id. */
export const isExecutionId = (text: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text);

/** Throws 404 unless the text has the form of an execution's id. */
export function mustBeId(text: string): void {
  if (!isExecutionId(text)) throw new NotFound('The execution');
}

function timePart(epochMs: number): string {
  const hex = Math.min(Math.max(epochMs, 0), 0xffff_ffff_ffff).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}
