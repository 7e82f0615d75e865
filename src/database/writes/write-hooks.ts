import type { Tx } from '../tx.js';
import type { WriteKey } from './write-keys.js';

/** Hooks of a caller into the transaction of a service: before its work, and after it with the result. */
export interface WriteHooks<Made> {
  /** Keys that the hooks write beside those of the service. */
  readonly touches?: readonly WriteKey[];
  opening?(tx: Tx): Promise<void>;
  closing?(tx: Tx, made: Made): Promise<void>;
}
