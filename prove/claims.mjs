/**
 * Photographs are claimed once: of 200 concurrent renders of one session exactly one makes a file, with every
 * photograph in it exactly once; twenty times over.
 */
import sharp from 'sharp';
import { databaseKinds, makePlace } from './support/place.mjs';
import { countBy, inParallel, Proof } from './support/report.mjs';
import { replyFlow, startService } from './support/service.mjs';

const ROUNDS = Number(process.env.PROVE_ROUNDS ?? 20);
const RENDERS = Number(process.env.PROVE_RENDERS ?? 200);
const PHOTOGRAPHS = 6;
const proof = new Proof('prove:claims');

const photograph = async (seed) => {
  const bytes = await sharp({
    create: {
      width: 640,
      height: 480,
      channels: 3,
      background: { r: seed % 256, g: (seed * 7) % 256, b: 90 },
    },
  })
    .jpeg()
    .toBuffer();
  return { data: `data:image/jpeg;base64,${bytes.toString('base64')}`, name: `photograph-${seed}.jpg` };
};

async function round(kind, services, number) {
  const sessionId = `session-${number}`;
  const photographs = await Promise.all(
    Array.from({ length: PHOTOGRAPHS }, (_, index) => photograph(number * 10 + index)),
  );
  const captured = await services[0].request('POST', '/api/v1/inspection/capture', {
    body: { flowId: 'inspected', sessionId, area: 'Kitchen', photographs },
  });
  if (captured.json.recorded?.length !== PHOTOGRAPHS) throw new Error(`capture: ${captured.text}`);
  const answers = await inParallel(RENDERS, RENDERS, (index) =>
    services[index % services.length].request('POST', '/api/v1/pdf/render', {
      body: {
        templateId: 'inspection',
        source: { type: 'inspection', sessionId, meta: { address: '1 Proof Street' } },
      },
    }),
  );
  const files = answers.filter((answer) => answer.status === 200 && answer.json.file !== null);
  const reasons = countBy(
    answers,
    (answer) => `${answer.status} ${answer.json.file ? 'file' : (answer.json.reason ?? answer.json.code)}`,
  );
  if (number === 0)
    proof.note(`${kind}, ${services.length} process(es), first round: ${JSON.stringify(reasons)}`);
  return {
    files: files.length,
    photographs: files[0]?.json.file.photographs,
    statuses: answers.every((answer) => answer.status === 200),
  };
}

for (const kind of await databaseKinds()) {
  const place = await makePlace(kind);
  const env = { RENDERS_PER_MINUTE: '1000000' };
  const services = [await startService(place, env)];
  if (kind === 'postgres') services.push(await startService(place, env));
  await services[0].createFlow(replyFlow('inspected'));
  const rounds = [];
  for (let number = 0; number < ROUNDS; number++) rounds.push(await round(kind, services, number));
  proof.expect(`${kind}: rounds with exactly one file`, rounds.filter((r) => r.files === 1).length, ROUNDS);
  proof.expect(
    `${kind}: rounds with every photograph once`,
    rounds.filter((r) => r.photographs === PHOTOGRAPHS).length,
    ROUNDS,
  );
  proof.expect(
    `${kind}: rounds in which every call was answered 200`,
    rounds.filter((r) => r.statuses).length,
    ROUNDS,
  );
  for (const service of services) await service.stop();
  await place.remove();
}
proof.end();
