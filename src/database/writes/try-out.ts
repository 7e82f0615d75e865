import type { Tx } from '../tx.js';
import type { WriteGate } from './write-gate.js';

/** Thrown out of a unit of work, which is rolled back by it. */
class Undone extends Error {}

/** Answers what a unit of work would do, with nothing of it kept: it is rolled back. Throws what the work throws. */
export async function tryOut<Value>(gate: WriteGate, work: (tx: Tx) => Promise<Value>): Promise<Value> {
  const found: { value?: Value } = {};
  try {
    await gate.write(async (tx) => {
      found.value = await work(tx);
      throw new Undone('only tried');
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  return found.value as Value;
}
