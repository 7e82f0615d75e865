import { DatabaseReader } from '../../src/database/database-reader.js';
import { WriteGate } from '../../src/database/writes/write-gate.js';
import { Recovery } from '../../src/executions/upkeep/recovery.js';
import type { TestApp } from './app.js';
import { eventually } from './eventually.js';

/**
 * Gives a run to a process that does not exist, and resolves once it has been taken over: on PostgreSQL a process is silent
 * for some seconds before it counts as gone.
 */
export async function takenOver({ app }: TestApp, executionId: string, from = '999:gone'): Promise<void> {
  const give = 'UPDATE executions SET process_id = ? WHERE id = ?';
  await app.get(WriteGate).write((tx) => tx.run(give, [from, executionId]));
  const held = 'SELECT 1 FROM executions WHERE id = ? AND process_id = ?';
  await eventually(async () => {
    await app.get(Recovery).recover();
    return !(await app.get(DatabaseReader).one(held, [executionId, from]));
  });
}
