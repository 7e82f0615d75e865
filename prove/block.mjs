/**
 * The address block: of 100 parallel unknown ids from one address exactly three are 404 and 97 are 429; a restart
 * within the window or the block changes nothing; the window slides with a precision of a tenth of a second. On
 * PostgreSQL three processes stand behind a proxy, except for the sliding, which needs a clock that can be moved.
 */
import './support/short-sizes.mjs';
import { startDeployment } from './support/deployment.mjs';
import { startInProcess } from './support/in-process.mjs';
import { databaseKinds, makePlace } from './support/place.mjs';
import { countBy, inParallel, Proof } from './support/report.mjs';
import { replyFlow } from './support/service.mjs';

const proof = new Proof('prove:block');
const unknown = (service, index) => service.predict(`unknown-${index}`, { question: 'x' });

async function parallel(kind) {
  const place = await makePlace(kind);
  const service = await startDeployment(place);
  const answers = await inParallel(100, 100, (index) => unknown(service, index));
  const statuses = countBy(answers, (answer) => `${answer.status} ${answer.json.code}`);
  proof.note(`${kind}, ${service.size}: ${JSON.stringify(statuses)}`);
  proof.expect(`${kind}: 404 of 100`, statuses['404 flow_not_found'], 3);
  proof.expect(`${kind}: 429 of 100`, statuses['429 address_blocked'], 97);
  proof.expect(
    `${kind}: Retry-After is within the hour`,
    answers
      .filter((a) => a.status === 429)
      .every((a) => {
        const seconds = Number(a.headers['retry-after']);
        return seconds > 3500 && seconds <= 3600;
      }),
    true,
  );
  await service.stop();
  await place.remove();
}

async function restarts(kind) {
  const place = await makePlace(kind);
  const service = await startDeployment(place);
  await service.createFlow(replyFlow('known'));
  const before = [await unknown(service, 1), await unknown(service, 2)].map((answer) => answer.status);
  await service.restart();
  const third = (await unknown(service, 3)).status;
  proof.expect(
    `${kind}: misses before, and after a restart inside the window`,
    [...before, third].join(' '),
    '404 404 404',
  );
  proof.expect(`${kind}: the next call`, (await unknown(service, 4)).status, 429);
  await service.restart();
  const known = await service.predict('known', { question: 'x' });
  proof.expect(
    `${kind}: a known flow, after a restart inside the block`,
    `${known.status} ${known.json.code}`,
    '429 address_blocked',
  );
  proof.expect(
    `${kind}: admin routes stay open`,
    (await service.admin('GET', '/api/v1/address-blocks')).status,
    200,
  );
  await service.stop();
  await place.remove();
}

/** Makes three misses, the last `seconds` after the first; returns true if a known flow is blocked afterwards. */
async function sliding(kind, seconds) {
  const place = await makePlace(kind);
  const service = await startInProcess(place);
  const call = async () =>
    (await fetch(`${service.url}/api/v1/prediction/unknown-flow`, { method: 'POST', body: '{}' })).status;
  // The clock stands still except for these steps, so that a slow machine changes nothing.
  const first = service.clock.now();
  const at = (seconds) => (service.clock.now = () => first + seconds * 1000);
  at(0);
  await call();
  // The second comes in the middle: the first must expire by its own age.
  at(seconds / 2);
  await call();
  at(seconds);
  await call();
  const status = await call();
  await service.close();
  await place.remove();
  return status;
}

for (const kind of await databaseKinds()) {
  await parallel(kind);
  await restarts(kind);
  proof.expect(`${kind}: third miss 899.9 s after the first: then`, await sliding(kind, 899.9), 429);
  proof.expect(`${kind}: third miss 900.1 s after the first: then`, await sliding(kind, 900.1), 404);
}
proof.end();
