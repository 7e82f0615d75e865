import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkReport } from '../scripts/verify/check-report.mjs';
import { openFlow, withFile } from './fixtures/renders.js';
import { TEST_ADMIN_KEY } from './support/app.js';
import { startChild } from './support/child-process.js';
import { makePlace, type TestPlace } from './support/databases.js';
import type { DeathPoint } from './support/death-points.js';
import { eventually } from './support/eventually.js';
import { smallJpeg } from './support/recorded-photographs.js';
import { type Answer, ServiceClient } from './support/service-client.js';
import { installed } from './support/services.js';
import { p12File } from './support/signing-files.js';
import { personNamed } from './support/signing-people.js';

const POINTS: readonly DeathPoint[] = [
  'sealed',
  'signed',
  'signature in the file',
  'file in the store',
  'claim to be settled',
  'row in its open transaction',
  'committed',
];
/** The points at which a run holds different things. */
const POINTS_OF_RUNS: readonly DeathPoint[] = ['signed', 'claim to be settled', 'committed'];
const PRICE = 3;

/** start → render → reply, at a price. */
const renderingFlow = {
  name: 'Renders',
  price: PRICE,
  nodes: [
    { id: 'start', kind: 'start', config: {} },
    { id: 'report', kind: 'render', config: { meta: {} } },
    { id: 'reply', kind: 'reply', config: { message: 'done' } },
  ],
  edges: [
    { from: 'start', to: 'report' },
    { from: 'report', to: 'reply' },
  ],
};

describe('a signed report whose process is killed while making it', () => {
  let directory: string;
  let place: TestPlace;
  let env: Record<string, string>;
  let running: ReturnType<typeof startChild>;
  let url: string;
  let photograph: string;
  const client = new ServiceClient(() => ({ url, adminKey: TEST_ADMIN_KEY }));

  const start = async () => {
    running = startChild('service-child.ts', [place.dataDir, place.databaseUrl, JSON.stringify(env)], {
      required: ['death-points.ts'],
    });
    url = await running.firstLine;
  };

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'signed-kills-'));
    const SIGNING_P12 = await p12File(directory, 'own', await personNamed('Inspections Ltd'));
    env = { SIGNING_P12, SIGNING_P12_PASSWORD: 'open sesame', INITIAL_CREDIT: '1000', RENDERS_PER_MINUTE: '1000' }; // prettier-ignore
    photograph = `data:image/jpeg;base64,${(await smallJpeg()).toString('base64')}`;
    place = await makePlace();
    await start();
  });

  afterAll(async () => {
    running.child.kill('SIGTERM');
    await running.exit;
    await place.remove();
    rmSync(directory, { recursive: true, force: true });
  });

  /**
   * Retries a call until a process answers it: the record of a killed one is in use until it counts as dead. The client
   * pauses between two attempts, so that it stays within its renders per minute on a fast machine too.
   */
  async function sentUntilAnswered(send: () => Promise<Answer>): Promise<Answer> {
    let answer = await send();
    await eventually(async () => {
      if (answer.status !== 409) return true;
      await new Promise((resolve) => setTimeout(resolve, 200));
      answer = await send();
      return false;
    });
    return answer;
  }

  async function killedAt(point: DeathPoint, send: () => Promise<Answer>): Promise<Answer> {
    writeFileSync(join(place.dataDir, 'death-point'), point);
    const lost = send().catch(() => undefined);
    await running.exit;
    expect([await lost, running.child.signalCode]).toEqual([undefined, 'SIGKILL']);
    await start();
    return sentUntilAnswered(send);
  }

  const balance = async () => (await client.admin('GET', 'credit/default')).body.balance as number;

  async function photographed(flow: object, sessionId: string): Promise<string> {
    const flowId = await client.flow(flow);
    const photographs = ['one', 'two'].map((messageId) => ({ data: photograph, messageId }));
    const body = { flowId, sessionId, area: 'Hall', photographs };
    expect((await client.send('POST', '/api/v1/inspection/capture', body)).status).toBe(200);
    return flowId;
  }

  /** Expects one report of the session, with both photographs, validly signed, and unchanged when it is redrawn. */
  async function expectOneSigned(sessionId: string): Promise<void> {
    const { data } = (await client.admin('GET', `pdf/reports?sessionId=${sessionId}`)).body;
    expect(data).toMatchObject([{ photographs: 2, warnings: [] }]);
    const [report] = data;
    const pdf = Buffer.from(await (await fetch(report.url as string)).arrayBuffer());
    const { fingerprint } = (await client.send('GET', '/api/v1/pdf/seal')).body;
    expect(checkReport(pdf, new Map([[fingerprint as string, 'given']]))).toMatchObject({
      code: 0,
      revisions: [expect.stringMatching(/^Revision 2: signed by "Inspections Ltd" /)],
    });
    if (installed('pdfsig')) {
      const output = withFile(
        pdf,
        (path) => spawnSync('pdfsig', ['-nocert', path], { encoding: 'utf8' }).stdout,
      );
      expect(output.match(/Signature Validation: .*/g)).toEqual([
        'Signature Validation: Signature is Valid.',
      ]);
    }
    const redrawn = (await client.admin('POST', `pdf/reports/${report.id}/redraw`)).body;
    expect(redrawn).toMatchObject({ identical: true, file: { sha256: report.sha256 } });
  }

  it.each(POINTS)("is made once by the render's retry under its key: %s", async (point) => {
    const sessionId = `render-${POINTS.indexOf(point)}`;
    await photographed(openFlow, sessionId);
    const before = await balance();
    const body = { templateId: 'inspection', source: { type: 'inspection', sessionId } };
    const answer = await killedAt(point, () =>
      client.send('POST', '/api/v1/pdf/render', body, { 'idempotency-key': sessionId }),
    );
    expect(answer).toMatchObject({ status: 200, body: { claimed: 2, file: { photographs: 2 } } });
    await expectOneSigned(sessionId);
    expect(await balance()).toBe(before);
  });

  it.each(POINTS_OF_RUNS)('is made and charged once by the retry of its run: %s', async (point) => {
    const sessionId = `run-${POINTS_OF_RUNS.indexOf(point)}`;
    const flowId = await photographed(renderingFlow, sessionId);
    const before = await balance();
    const answer = await killedAt(point, () =>
      client.predict(flowId, { question: 'finish', chatId: sessionId }, { 'idempotency-key': sessionId }),
    );
    expect(answer).toMatchObject({ status: 200, body: { text: 'done' } });
    await expectOneSigned(sessionId);
    expect(await balance()).toBe(before - PRICE);
  });
});
