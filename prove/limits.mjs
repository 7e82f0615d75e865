/**
 * A flow's rate limit is an exact sliding window: with N = 20, of 500 concurrent calls exactly 20 are accepted; and in
 * 20,000 logged calls no window, wherever it begins, holds more than N accepted ones. On PostgreSQL three processes
 * stand behind a proxy.
 */
import './support/short-sizes.mjs';
import { startDeployment } from './support/deployment.mjs';
import { databaseKinds, makePlace } from './support/place.mjs';
import { fullerWindows } from './support/rate-windows.mjs';
import { atLeast, countBy, inParallel, Proof } from './support/report.mjs';
import { replyFlow } from './support/service.mjs';

const CALLS = Number(process.env.PROVE_CALLS ?? 20_000);
const LIMIT = 20;
const proof = new Proof('prove:limits');

async function burst(kind, service) {
  await service.createFlow(
    replyFlow('burst', { access: { rateLimit: { limit: LIMIT, windowSeconds: 600 } } }),
  );
  const answers = await inParallel(500, 500, () => service.predict('burst', { question: 'x' }));
  const statuses = countBy(answers, (answer) => answer.status);
  proof.expect(`${kind}: accepted of 500`, statuses[200], LIMIT);
  proof.expect(`${kind}: refused of 500`, statuses[429], 500 - LIMIT);
}

async function stream(kind, service) {
  const windowMs = 1000;
  await service.createFlow(
    replyFlow('stream', { access: { rateLimit: { limit: LIMIT, windowSeconds: windowMs / 1000 } } }),
  );
  const started = performance.now();
  const calls = await inParallel(CALLS, 32, async () => {
    const sent = performance.now();
    const { status } = await service.predict('stream', { question: 'x' });
    return { sent, answered: performance.now(), status };
  });
  const seconds = (performance.now() - started) / 1000;
  const accepted = calls.filter((call) => call.status === 200);
  proof.note(`${kind}: ${CALLS} calls in ${seconds.toFixed(1)} s, ${accepted.length} accepted`);
  proof.expect(`${kind}: windows with more than ${LIMIT}`, fullerWindows(accepted, LIMIT, windowMs), 0);
  proof.measure(
    `${kind}: accepted (the limit is used, not only kept)`,
    accepted.length,
    atLeast(Math.floor(seconds * LIMIT * 0.5)),
  );
}

for (const kind of await databaseKinds()) {
  const place = await makePlace(kind);
  const env = { INITIAL_CREDIT: '1000000' };
  const service = await startDeployment(place, env);
  await burst(kind, service);
  await stream(kind, service);
  await service.stop();
  await place.remove();
}
proof.end();
