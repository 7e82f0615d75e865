import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkReport } from '../scripts/verify/check-report.mjs';
import { ReportVault } from '../src/pdf/vault/report-vault.js';
import { BlobStore } from '../src/storage/blob-store.js';
import { RenderFixture, sha256, withFile } from './fixtures/renders.js';
import { startTestApp } from './support/app.js';
import { withRevision } from './support/appended-revision.js';
import { SealedPdf } from './support/sealed-pdf.js';
import { type Answer } from './support/service-client.js';
import { installed } from './support/services.js';
import { p12File } from './support/signing-files.js';
import { personNamed, signedBy } from './support/signing-people.js';

const withPdfsig = installed('pdfsig') ? it : it.skip;
const withQpdf = installed('qpdf') ? it : it.skip;

describe.each(['RSA', 'EC'] as const)('a report of a service that signs (%s)', (kind) => {
  const room = new RenderFixture();
  const { client, photographs, render, session } = room;
  let directory: string;
  let answer: Answer;
  let pdf: Buffer;
  let fingerprint: string;

  const fileOf = async ({ body }: Answer) =>
    Buffer.from(await (await fetch(body.file.url as string)).arrayBuffer());
  const redraw = (id: string) => client.admin('POST', `pdf/reports/${id}/redraw`);

  function verify(file: Uint8Array) {
    const { code, lines, revisions, pictures } = checkReport(file, new Map([[fingerprint, 'given']]));
    return { code, revisions, out: [...lines, ...pictures.faults, pictures.sentence].join('\n') };
  }

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'signature-'));
    const [person, issuer] = [await personNamed('Inspections Ltd', kind), await personNamed('An Issuer')];
    const SIGNING_P12 = await p12File(directory, 'own', person, { chain: [issuer] });
    await room.start({ SIGNING_P12, SIGNING_P12_PASSWORD: 'open sesame' });
    const sessionId = session();
    await photographs(sessionId, 2, room.flowId, 'Hall');
    answer = await render({
      sessionId,
      meta: { address: '1 High Street', geo: { latitude: 51.5, longitude: -0.14 } },
    });
    pdf = await fileOf(answer);
    ({ fingerprint } = (await client.send('GET', '/api/v1/pdf/seal')).body);
  });

  afterAll(async () => {
    await room.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it('is returned with the size and hash of the signed file', () => {
    expect(answer.status).toBe(200);
    expect(answer.body.file).toMatchObject({ bytes: pdf.length, sha256: sha256(new Uint8Array(pdf).buffer) });
    expect(answer.body.warnings).toEqual([]);
  });

  it('is unaltered, and reported with the name of the signer', () => {
    const { code, revisions, out } = verify(pdf);
    expect([code, revisions]).toEqual([
      0,
      [expect.stringMatching(/^Revision 2: signed by "Inspections Ltd" .*adds 1 form field\.$/)],
    ]);
    expect(revisions[0]).not.toMatch(/does not fit|not of the whole file|not checked here|stamp/);
    expect(out).toContain('every byte of the first revision is as it was sealed');
  });

  it('equals, up to its seal, byte for byte the file of the list of evidence', async () => {
    const { id } = answer.body.file;
    const { signed } = (await client.admin('GET', `pdf/reports/${id}/manifest`)).body;
    const first = pdf.subarray(0, signed.file.bytes as number);
    expect(sha256(new Uint8Array(first).buffer)).toBe(signed.file.sha256);
    expect(verify(first)).toMatchObject({ code: 0, revisions: [] });
  });

  it('is the same file when it is redrawn, also if its file was lost', async () => {
    const { id, sha256: hash, bytes } = answer.body.file;
    const { key } = (await room.app.app.get(ReportVault).find(id as string))!;
    await room.app.app.get(BlobStore).remove(key);
    expect((await redraw(id as string)).body).toMatchObject({
      identical: true,
      file: { sha256: hash, bytes },
    });
    expect((await fileOf(answer)).equals(pdf)).toBe(true);
  });

  it('is signed in each edition, and redrawn unchanged', async () => {
    const sessionId = session();
    await photographs(sessionId);
    const first = await render({ sessionId });
    const { body } = await client.admin('POST', `pdf/reports/${first.body.file.id}/editions`, {
      reason: 'a word',
    });
    for (const file of [first.body.file, body.file]) {
      expect((await redraw(file.id as string)).body).toMatchObject({
        identical: true,
        file: { sha256: file.sha256 },
      });
    }
    expect(verify(await fileOf({ ...first, body })).revisions).toHaveLength(1);
  });

  it('is not signed in a preview', async () => {
    const sessionId = session();
    await photographs(sessionId);
    const preview = await fileOf(await render({ sessionId }, room.adminHeaders(), { preview: true }));
    expect(verify(preview)).toMatchObject({ code: 0, revisions: [] });
    expect(preview.includes('/ByteRange')).toBe(false);
  });

  it('verifies as both if somebody signs after the service', async () => {
    const twice = await signedBy(await personNamed('Tom Ant', 'RSA'), pdf);
    expect(twice.subarray(0, pdf.length).equals(pdf)).toBe(true);
    const { code, revisions } = verify(twice);
    expect([code, revisions]).toEqual([
      0,
      [
        expect.stringContaining('Revision 2: signed by "Inspections Ltd"'),
        expect.stringContaining('Revision 3: signed by "Tom Ant"'),
      ],
    ]);
    expect(revisions.join(' ')).not.toMatch(/does not fit|not of the whole file/);
  });

  it('is altered if a later revision replaces a picture, signed or not', async () => {
    const report = new SealedPdf(pdf);
    const picture = report.objectWith(/\/Subtype \/Image/);
    const body = report.bodyOf(picture).replace('/DeviceRGB', '/DeviceGray');
    const forged = withRevision(pdf, { objects: { [picture]: body } });
    for (const file of [forged, await signedBy(await personNamed('Inspections Ltd'), forged)]) {
      expect(verify(file)).toMatchObject({ code: 1, out: expect.stringContaining('replaces a picture') });
    }
  });

  it('is altered if the signature itself is changed, or bytes of the sealed part', () => {
    const changed = (at: number) => {
      const copy = Buffer.from(pdf);
      copy[at]! ^= 1;
      return verify(copy);
    };
    const inside = pdf.indexOf('/ETSI.CAdES.detached');
    expect(changed(inside + 60).code === 0 && changed(inside + 60).revisions.join('')).toMatch(
      /does not fit/,
    );
    expect(changed(200).code).not.toBe(0);
  });

  withPdfsig('satisfies pdfsig', async () => {
    const both = await signedBy(await personNamed('Tom Ant'), pdf);
    for (const [file, count] of [
      [pdf, 1],
      [both, 2],
    ] as const) {
      const output = withFile(
        file,
        (path) => spawnSync('pdfsig', ['-nocert', path], { encoding: 'utf8' }).stdout,
      );
      expect(output.match(/Signature Validation: Signature is Valid\./g)).toHaveLength(count);
      expect(output).toContain('Signer Certificate Common Name: Inspections Ltd');
      expect(output).toContain('Signature Type: ETSI.CAdES.detached');
    }
  });

  withQpdf('satisfies qpdf', () => {
    expect(withFile(pdf, (path) => execFileSync('qpdf', ['--check', path], { encoding: 'utf8' }))).toContain(
      'No syntax or stream encoding errors found',
    );
  });

  it('names the signer beside the key of the seal', async () => {
    expect((await client.send('GET', '/api/v1/pdf/seal')).body.signature).toMatchObject({
      name: 'Inspections Ltd',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});

describe('a service that begins to sign, and one that stops signing', () => {
  it('redraws each report as it was returned, signed or not', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'signature-'));
    const SIGNING_P12 = await p12File(directory, 'own', await personNamed('Inspections Ltd'));
    const signs = { RENDERS_PER_MINUTE: '1000', SIGNING_P12, SIGNING_P12_PASSWORD: 'open sesame' };
    const room = new RenderFixture();
    const made: { id: string; sha256: string }[] = [];
    const oneMore = async () => {
      const sessionId = room.session();
      await room.photographs(sessionId);
      made.push((await room.render({ sessionId })).body.file);
    };
    const restart = async (env: Record<string, string>) => {
      const { place } = room.app;
      await room.app.close({ keep: true });
      room.app = await startTestApp({ place, env });
      for (const { id, sha256: hash } of made) {
        const { body } = await room.client.admin('POST', `pdf/reports/${id}/redraw`);
        expect(body).toMatchObject({ identical: true, file: { sha256: hash } });
      }
    };
    await room.start();
    try {
      await oneMore();
      await restart(signs);
      await oneMore();
      await restart({});
      expect((await room.client.send('GET', '/api/v1/pdf/seal')).body).not.toHaveProperty('signature');
    } finally {
      await room.close();
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
