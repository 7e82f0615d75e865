import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { checkReport } from '../scripts/verify/check-report.mjs';
import { NoTimeStamp, timeStampOf } from '../src/pdf/signing/time-stamp.js';
import { RenderFixture, withFile } from './fixtures/renders.js';
import { FakeTsa, type TsaManner } from './support/fake-tsa.js';
import { openMailbox } from './support/mailbox.js';
import { recordPhotograph } from './support/recorded-photographs.js';
import { samplePhotograph } from './support/sample-photographs.js';
import { installed } from './support/services.js';
import { p12File } from './support/signing-files.js';
import { personNamed } from './support/signing-people.js';

const withPdfsig = installed('pdfsig') ? it : it.skip;

describe('a report whose signature is stamped with the time', () => {
  const room = new RenderFixture();
  let directory: string;
  let tsa: FakeTsa;
  let url: string;
  let fingerprint: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'stamps-'));
    tsa = new FakeTsa(directory);
    const TSA_URL = (url = await tsa.listen());
    const SIGNING_P12 = await p12File(directory, 'own', await personNamed('Inspections Ltd'), {
      legacy: true,
    });
    // The address is configured by an admin: it needs no entry in OUTBOUND_ALLOW.
    await room.start({ SIGNING_P12, SIGNING_P12_PASSWORD: 'open sesame', TSA_URL });
    ({ fingerprint } = (await room.client.send('GET', '/api/v1/pdf/seal')).body);
  });

  afterAll(async () => {
    await room.close();
    await tsa.close();
    rmSync(directory, { recursive: true, force: true });
  });

  async function rendered(manner: TsaManner) {
    tsa.manner = manner;
    const sessionId = room.session();
    await room.photographs(sessionId);
    const { status, body } = await room.render({ sessionId });
    const pdf = Buffer.from(await (await fetch(body.file.url as string)).arrayBuffer());
    const { code, revisions } = checkReport(pdf, new Map([[fingerprint, 'given']]));
    return { status, body, pdf, code, told: revisions.join('\n') };
  }

  it('names who stamped it, and when', async () => {
    const before = tsa.requests;
    const { body, code, told } = await rendered('right');
    expect(code).toBe(0);
    expect(told).toMatch(
      /signed by "Inspections Ltd" .*, stamped \d{4}-\d\d-\d\dT[\d:.]+Z by "Time Keepers"/,
    );
    expect(body.warnings).toEqual([]);
    expect(tsa.requests).toBe(before + 1);
  });

  it('is redrawn with the same stamp, without a new request', async () => {
    const { body } = await rendered('right');
    const before = tsa.requests;
    const again = await room.client.admin('POST', `pdf/reports/${body.file.id}/redraw`);
    expect(again.body).toMatchObject({ identical: true, file: { sha256: body.file.sha256 } });
    expect(tsa.requests).toBe(before);
  });

  it('is stamped once if the report is drawn several times to fit a size', async () => {
    tsa.manner = 'right';
    const sessionId = room.session();
    await room.photographs(sessionId, 2);
    const before = tsa.requests;
    const { body } = await room.render({ sessionId }, {}, { maxBytes: 10_000 });
    expect(body.warnings).toEqual([expect.objectContaining({ code: 'max_bytes_exceeded' })]);
    expect(tsa.requests).toBe(before + 1);
    const pdf = Buffer.from(await (await fetch(body.file.url as string)).arrayBuffer());
    expect(pdf.length).toBe(body.file.bytes);
    expect(checkReport(pdf, new Map([[fingerprint, 'given']])).revisions).toEqual([
      expect.stringContaining('by "Time Keepers"'),
    ]);
    const again = await room.client.admin('POST', `pdf/reports/${body.file.id}/redraw`);
    expect(again.body).toMatchObject({ identical: true, file: { sha256: body.file.sha256 } });
  });

  withPdfsig('satisfies pdfsig', async () => {
    const { pdf } = await rendered('right');
    const output = withFile(
      pdf,
      (path) => spawnSync('pdfsig', ['-nocert', path], { encoding: 'utf8' }).stdout,
    );
    expect(output).toContain('Signature Validation: Signature is Valid.');
  });

  it('rejects an answer with any changed byte, without failing', async () => {
    tsa.manner = 'garbled';
    const reasons = new Set<string>();
    for (let time = 0; time < 120; time++) {
      await timeStampOf(Buffer.from(`signature ${time}`), url, 5_000).catch((error: unknown) => {
        expect(error).toBeInstanceOf(NoTimeStamp);
        reasons.add((error as Error).message);
      });
    }
    expect([...reasons]).toEqual(
      expect.arrayContaining([expect.stringContaining('signature of its stamp is wrong')]),
    );
  });

  it.each<[TsaManner, RegExp]>([
    ['of other bytes', /stamped other bytes/],
    ['of another question', /another request/],
    ['not granted', /did not grant .*status 2/],
    ['broken signature', /signature of its stamp is wrong|not a time stamp/],
    ['no stamp at all', /not a time stamp/],
    ['a fault', /status 503/],
    ['elsewhere', /status 302/],
    ['hangs', /in time/],
    ['hangs in the middle', /in time/],
  ])(
    'is signed without a stamp, and reports it, if the server is wrong: %s',
    async (manner, reason) => {
      const { status, body, code, told } = await rendered(manner);
      expect([status, code]).toEqual([200, 0]);
      expect(body.warnings).toEqual([{ code: 'time_stamp_failed', message: expect.stringMatching(reason) }]);
      expect(told).toContain('signed by "Inspections Ltd"');
      expect(told).not.toMatch(/stamp|does not fit/);
    },
    60_000,
  );
});

describe('a report whose time-stamp server is down', () => {
  it('is signed without a stamp, and reports it', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'stamps-'));
    const room = new RenderFixture();
    const SIGNING_P12 = await p12File(directory, 'own', await personNamed('Inspections Ltd'));
    const TSA_URL = 'http://somebody:s3cret@127.0.0.1:1/stamps';
    await room.start({ SIGNING_P12, SIGNING_P12_PASSWORD: 'open sesame', TSA_URL });
    try {
      const sessionId = room.session();
      await room.photographs(sessionId);
      const { status, body } = await room.render({ sessionId });
      expect(status).toBe(200);
      expect(body.warnings).toEqual([
        {
          code: 'time_stamp_failed',
          message: expect.stringContaining('could not be reached (ECONNREFUSED)'),
        },
      ]);
      expect(JSON.stringify(body)).not.toMatch(/s3cret/);
    } finally {
      await room.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

describe('a report that is mailed with smaller pictures', () => {
  it.each<[TsaManner, number]>([
    ['right', 2],
    ['not granted', 1],
  ])('requests a second stamp only if it got the first: %s', async (manner, times) => {
    const directory = mkdtempSync(join(tmpdir(), 'stamps-'));
    const [tsa, mailbox, room] = [new FakeTsa(directory), await openMailbox(), new RenderFixture()];
    const TSA_URL = await tsa.listen();
    const SIGNING_P12 = await p12File(directory, 'own', await personNamed('Inspections Ltd'));
    const mail = { SMTP_URL: mailbox.url, MAIL_ALLOW: '@agency.example', MAIL_MAX_MB: '0.5' };
    await room.start({ SIGNING_P12, SIGNING_P12_PASSWORD: 'open sesame', TSA_URL, ...mail });
    try {
      tsa.manner = manner;
      const [sessionId, flowId] = [room.session(), room.flowId];
      for (const name of ['bathroom', 'kitchen-1', 'keys', 'garden']) {
        const jpeg = await sharp(samplePhotograph(name)).jpeg({ quality: 90 }).toBuffer();
        await recordPhotograph(room.app, { flowId, sessionId, jpeg });
      }
      const delivery = { email: { to: ['office@agency.example'] } };
      const { body } = await room.render({ sessionId }, {}, { delivery });
      expect(body.delivery.email.attached).toHaveProperty('reducedTo');
      expect(tsa.requests).toBe(times);
    } finally {
      await room.close();
      await tsa.close();
      await mailbox.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
