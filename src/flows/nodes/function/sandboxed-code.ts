import type { Json } from '../../engine/json.js';

/** The message to the process: one run of a function. */
export interface SandboxTask {
  code: string;
  /** The code's globals, by name. */
  globals: Record<string, Json>;
  /** Milliseconds of computing. */
  timeoutMs: number;
  memoryMb: number;
}

/** The end of a function: its result as JSON, or a sentence for the flow's author about its failure. */
export type SandboxEnd = { result: string } | { error: string };

/** Characters of the result's JSON. */
export const MOST_RESULT = 4 * 1024 * 1024;

/** The ratio of wall time to computing time: at a load of 15 on two cores, a low-priority process has a tenth of a core. */
export const PATIENCE = 30;

export const tookTooLong = (timeoutMs: number): string =>
  `The function computed for more than ${timeoutMs} ms. Shorten its work, or end its loop.`;

export const outOfMemory = (memoryMb: number): string =>
  `The function needed more than ${memoryMb} MiB of memory. Make it use less at once.`;
