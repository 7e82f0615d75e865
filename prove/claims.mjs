/**
 * Photographs are claimed once: of 200 concurrent renders of one session exactly one makes a file, and each sent
 * photograph is printed exactly once over all files, twenty times in a row. The printed ones are read back from the
 * pages: each photograph has a colour of its own. On PostgreSQL three processes stand behind a proxy.
 */
import './support/short-sizes.mjs';
import { startDeployment } from './support/deployment.mjs';
import { databaseKinds, makePlace } from './support/place.mjs';
import { photographOf, photographsIn } from './support/printed-photographs.mjs';
import { countBy, inParallel, Proof } from './support/report.mjs';
import { replyFlow } from './support/service.mjs';

const ROUNDS = Number(process.env.PROVE_ROUNDS ?? 20);
const RENDERS = Number(process.env.PROVE_RENDERS ?? 200);
const PHOTOGRAPHS = 6;
const proof = new Proof('prove:claims');

/** Returns the numbers of the photographs in all these reports, sorted. */
async function printedIn(service, files) {
  const printed = [];
  for (const { json } of files) {
    const { pathname, search } = new URL(json.file.url);
    const { bytes } = await service.request('GET', pathname + search);
    printed.push(...(await photographsIn(bytes)));
  }
  return printed.sort((one, other) => one - other);
}

async function round(kind, service, number) {
  const sessionId = `session-${number}`;
  const sent = Array.from({ length: PHOTOGRAPHS }, (_, index) => number * PHOTOGRAPHS + index);
  const photographs = await Promise.all(sent.map(photographOf));
  const captured = await service.request('POST', '/api/v1/inspection/capture', {
    body: { flowId: 'inspected', sessionId, area: 'Kitchen', photographs },
  });
  if (captured.json.recorded?.length !== PHOTOGRAPHS) throw new Error(`capture: ${captured.text}`);
  const answers = await inParallel(RENDERS, RENDERS, () =>
    service.request('POST', '/api/v1/pdf/render', {
      body: {
        templateId: 'inspection',
        source: { type: 'inspection', sessionId, meta: { address: '1 Proof Street' } },
      },
    }),
  );
  const unlike = answers.find(({ status }) => status !== 200);
  if (unlike) proof.note(`round ${number}: ${unlike.status} ${unlike.text.slice(0, 300)}`);
  const files = answers.filter((answer) => answer.status === 200 && answer.json.file !== null);
  const reasons = countBy(
    answers,
    (answer) => `${answer.status} ${answer.json.file ? 'file' : (answer.json.reason ?? answer.json.code)}`,
  );
  if (number === 0) proof.note(`${kind}, ${service.size}, first round: ${JSON.stringify(reasons)}`);
  const printed = await printedIn(service, files);
  if (String(printed) !== String(sent)) proof.note(`round ${number}: sent ${sent}, printed ${printed}`);
  return {
    files: files.length,
    photographs: String(printed) === String(sent),
    statuses: answers.every((answer) => answer.status === 200),
  };
}

for (const kind of await databaseKinds()) {
  const place = await makePlace(kind);
  const env = { RENDERS_PER_MINUTE: '1000000' };
  const service = await startDeployment(place, env);
  await service.createFlow(replyFlow('inspected'));
  const rounds = [];
  for (let number = 0; number < ROUNDS; number++) rounds.push(await round(kind, service, number));
  proof.expect(`${kind}: rounds with exactly one file`, rounds.filter((r) => r.files === 1).length, ROUNDS);
  proof.expect(
    `${kind}: rounds that print each photograph sent once, and no other`,
    rounds.filter((r) => r.photographs).length,
    ROUNDS,
  );
  proof.expect(
    `${kind}: rounds in which every call was answered 200`,
    rounds.filter((r) => r.statuses).length,
    ROUNDS,
  );
  await service.stop();
  await place.remove();
}
proof.end();
