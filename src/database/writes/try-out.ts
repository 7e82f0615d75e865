import type { Tx } from '../tx.js';
import type { WriteGate } from './write-gate.js';

/** Thrown to roll a unit of work back. */
class Undone extends Error {}

/** Returns the result of a unit of work and rolls it back. Throws the error of the work. */
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
