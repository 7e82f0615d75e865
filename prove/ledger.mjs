/**
 * Credit is exact under concurrency: 2,000 concurrent calls with credit for 500 are 500 × 200 and 1,500 × 402; with a
 * third of the runs failing every failed one is refunded; the audit finds no drift. On PostgreSQL three processes stand
 * behind a proxy.
 */
import './support/short-sizes.mjs';
import { startDeployment } from './support/deployment.mjs';
import { databaseKinds, makePlace } from './support/place.mjs';
import { countBy, inParallel, Proof } from './support/report.mjs';
import { replyFlow, sometimesFailingFlow } from './support/service.mjs';

const CALLS = Number(process.env.PROVE_CALLS ?? 2000);
const CREDIT = CALLS / 4;
const proof = new Proof('prove:ledger');

async function balanceOf(service) {
  return (await service.admin('GET', '/api/v1/credit/default')).json.balance;
}

/** Sums the ledger page by page. */
async function ledgerSum(service) {
  let sum = 0;
  let cursor;
  do {
    const page = (
      await service.admin(
        'GET',
        `/api/v1/credit/default/entries?limit=500${cursor ? `&cursor=${cursor}` : ''}`,
      )
    ).json;
    for (const entry of page.data) sum += entry.amount;
    cursor = page.nextCursor;
  } while (cursor);
  return sum;
}

async function run(kind) {
  for (const failing of [false, true]) {
    const place = await makePlace(kind);
    const service = await startDeployment(place, { INITIAL_CREDIT: String(CREDIT) });
    try {
      await service.createFlow(failing ? sometimesFailingFlow('paid') : replyFlow('paid'));
      const answers = await inParallel(CALLS, CALLS, (index) => {
        const question = failing && index % 3 === 0 ? 'fail' : `call ${index}`;
        return service.predict('paid', { question });
      });
      const statuses = countBy(answers, (answer) => answer.status);
      const balance = await balanceOf(service);
      proof.note(
        `${kind}, ${service.size}${failing ? ', a third failing' : ''}: ${JSON.stringify(statuses)}`,
      );
      if (failing) {
        const ok = statuses[200] ?? 0;
        proof.expect(`${kind}: answered + left = credit`, ok + balance, CREDIT);
        proof.expect(
          `${kind}: every call answered 200, 402 or 500`,
          ok + (statuses[402] ?? 0) + (statuses[500] ?? 0),
          CALLS,
        );
        proof.expect(`${kind}: some runs failed and were refunded`, (statuses[500] ?? 0) > 0, true);
      } else {
        proof.expect(`${kind}: answered 200`, statuses[200], CREDIT);
        proof.expect(`${kind}: refused 402`, statuses[402], CALLS - CREDIT);
        proof.expect(`${kind}: balance`, balance, 0);
      }
      proof.expect(`${kind}: sum of the ledger − balance`, (await ledgerSum(service)) - balance, 0);
    } finally {
      await service.stop();
      await place.remove();
    }
  }
}

for (const kind of await databaseKinds()) await run(kind);
proof.end();
