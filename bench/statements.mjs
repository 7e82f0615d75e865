import { createRequire } from 'node:module';
import { join } from 'node:path';
import { startInProcess } from '../prove/support/in-process.mjs';
/**
 * SQL statements of one prediction of a start → reply flow, counted by TypeORM's logger; BEGIN, COMMIT, SAVEPOINT do
 * not count.
 */
import { databaseKinds, makePlace } from '../prove/support/place.mjs';
import { replyFlow } from '../prove/support/service.mjs';
import { ADMIN_KEY, dist } from '../prove/support/service.mjs';
import { figure, timedPost } from './support/measure.mjs';

const CALLS = 50;
const { DataSource } = createRequire(join(dist, 'main.js'))('typeorm');
const isBoundary = (sql) => /^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)/i.test(sql);

for (const kind of await databaseKinds()) {
  const place = await makePlace(kind);
  const service = await startInProcess(place);
  try {
    await fetch(`${service.url}/api/v1/flows`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${ADMIN_KEY}` },
      body: JSON.stringify(replyFlow('bench-reply')),
    });
    const url = `${service.url}/api/v1/prediction/bench-reply`;
    const seen = [];
    const { logger } = service.app.get(DataSource);
    logger.logQuery = (sql) => void seen.push(sql.replaceAll(/\s+/g, ' ').trim());
    console.log(`\n# SQL statements a prediction, ${kind}`);
    for (const [what, body] of [
      ['a new chat each', () => ({ question: 'Hello' })],
      ['one chat', () => ({ question: 'Hello', chatId: 'the-chat' })],
    ]) {
      await timedPost(url, body());
      await new Promise((resolve) => setTimeout(resolve, 200));
      seen.length = 0;
      for (let call = 0; call < CALLS; call++) {
        await timedPost(url, body());
        // Waits longer than the group commit of traces, so that no statement of this call falls into the next one.
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const counts = new Map();
      for (const sql of seen) if (!isBoundary(sql)) counts.set(sql, (counts.get(sql) ?? 0) + 1);
      // Statements of timers (recovery, cancellation in other processes) occur now and then, whatever is called.
      const ofCalls = [...counts].filter(([, count]) => count >= CALLS / 2);
      const total = ofCalls.reduce((sum, [, count]) => sum + count, 0);
      figure(`${what}, one after another`, total / CALLS, '', ['<=', 6]);
      for (const [sql, count] of ofCalls)
        console.log(`            ${(count / CALLS).toFixed(2)} × ${sql.slice(0, 110)}`);
    }
  } finally {
    await service.close();
    await place.remove();
  }
}
