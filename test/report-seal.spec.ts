import { spawnSync } from 'node:child_process';
import { createPublicKey, generateKeyPairSync, verify as verifySignature } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publicKeyOf, SEAL_MARK, signatureOf } from '../src/pdf/seal/seal-line.js';
import { BlobStore } from '../src/storage/blob-store.js';
import { RenderFixture, sha256 } from './fixtures/renders.js';
import { recordPhotograph } from './support/recorded-photographs.js';
import { samplePhotograph } from './support/sample-photographs.js';
import { installed } from './support/services.js';

/** Tests of other programs' view of the file. */
const withQpdf = installed('qpdf') ? it : it.skip;

/** Replaces the bytes at a position. */
const withBytes = (pdf: Buffer, at: number, bytes: Buffer | string): Buffer => {
  const changed = Buffer.from(pdf);
  changed.set(Buffer.from(bytes), at);
  return changed;
};

/** Returns the same file with a seal by another key. */
function sealedAgain(pdf: Buffer): Buffer {
  const other = generateKeyPairSync('ed25519')
    .privateKey.export({ format: 'der', type: 'pkcs8' })
    .toString('base64url');
  const keyAt = pdf.indexOf(`${SEAL_MARK} `) + SEAL_MARK.length + 1;
  const signatureAt = keyAt + 44;
  const unsigned = withBytes(withBytes(pdf, keyAt, publicKeyOf(other)), signatureAt, '0'.repeat(86));
  return withBytes(unsigned, signatureAt, signatureOf(other, sha256(new Uint8Array(unsigned).buffer)));
}

/** Appends a revision that replaces the picture of this object; the old bytes stay in the file. */
function appendedPicture(pdf: Buffer, jpeg: Buffer, other: Buffer): Buffer {
  const text = pdf.toString('latin1');
  const streamAt = text.lastIndexOf('stream\n', pdf.indexOf(jpeg));
  const objectAt = text.lastIndexOf(' 0 obj\n', streamAt);
  const number = /\d+$/.exec(text.slice(objectAt - 10, objectAt))![0];
  const dictionary = text.slice(objectAt + 7, streamAt).replace(/\/Length \d+/, `/Length ${other.length}`);
  const object = Buffer.concat([
    Buffer.from(`\n${number} 0 obj\n${dictionary}stream\n`, 'latin1'),
    other,
    Buffer.from('\nendstream\nendobj\n'),
  ]);
  const previous = /startxref\n(\d+)/.exec(text.slice(-200))![1]!;
  const [, size] = /\/Size (\d+)/.exec(text.slice(-2000))!;
  const [, root] = /\/Root (\d+ 0 R)/.exec(text.slice(-2000))!;
  const place = String(pdf.length + 1).padStart(10, '0');
  const table = `xref\n${number} 1\n${place} 00000 n \ntrailer\n<< /Size ${size} /Root ${root} /Prev ${previous} >>\n`;
  const end = `${table}startxref\n${pdf.length + object.length}\n%%EOF\n`;
  return Buffer.concat([pdf, object, Buffer.from(end)]);
}

describe('the seal of a report', () => {
  const room = new RenderFixture();
  const { client, photographs, render, session } = room;
  let directory: string;
  let pdf: Buffer;
  let jpeg: Buffer;
  let fingerprint: string;
  let publicKey: string;

  const made = async (): Promise<{ file: Buffer; jpeg: Buffer }> => {
    const sessionId = session();
    const first = await recordPhotograph(room.app, { flowId: room.flowId, sessionId, area: 'Kitchen' });
    await photographs(sessionId, 2, room.flowId, 'Hall');
    const { body } = await render({ sessionId, meta: { address: '1 High Street' } });
    return {
      file: Buffer.from(await (await fetch(body.file.url as string)).arrayBuffer()),
      jpeg: await room.app.app.get(BlobStore).read(first.key),
    };
  };

  beforeAll(async () => {
    await room.start();
    directory = mkdtempSync(join(tmpdir(), 'seal-'));
    ({ file: pdf, jpeg } = await made());
    ({ publicKey, fingerprint } = (await client.send('GET', '/api/v1/pdf/seal')).body);
  });

  afterAll(async () => {
    await room.close();
    rmSync(directory, { recursive: true });
  });

  /** Runs in a folder without a key by default. */
  function verify(file: Uint8Array, more: readonly string[] = [], dataDir = join(directory, 'no-data')) {
    const path = join(directory, 'report.pdf');
    writeFileSync(path, file);
    const script = join(__dirname, '..', 'scripts', 'verify.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, path, ...more], {
      env: { ...process.env, DATA_DIR: dataDir, SECRETS_DIR: '', SEAL_KEY: '' },
    });
    return { status: status!, out: `${stdout.toString()}${stderr.toString()}` };
  }
  const trusting = (file: Uint8Array) => verify(file, ['--key', fingerprint]);
  const saved = (...options: string[]): Buffer => {
    const [from, to] = [join(directory, 'from.pdf'), join(directory, 'to.pdf')];
    writeFileSync(from, pdf);
    const done = spawnSync('qpdf', [...options, from, to]);
    if (done.error) throw done.error;
    return readFileSync(to);
  };

  it('is published with the fingerprint of its key', () => {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
    const spki = key.export({ format: 'der', type: 'spki' });
    expect(fingerprint).toBe(sha256(new Uint8Array(spki).buffer));
  });

  withQpdf('leaves the file a valid PDF', () => {
    writeFileSync(join(directory, 'sound.pdf'), pdf);
    const checked = spawnSync('qpdf', ['--check', join(directory, 'sound.pdf')]);
    expect(`${checked.stdout.toString()}${checked.stderr.toString()}`).toContain(
      'No syntax or stream encoding errors',
    );
  });

  describe('with a key that the reader trusts', () => {
    it('confirms that the file is unaltered: the key by its fingerprint, itself, or a file of either', () => {
      const spelled = fingerprint.toUpperCase().replaceAll(/(..)(?=.)/g, '$1:');
      const files = {
        fingerprint: `${fingerprint}\n`,
        answer: JSON.stringify({ algorithm: 'Ed25519', publicKey }),
        pem: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' }).export({
          format: 'pem',
          type: 'spki',
        }),
      };
      for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
      const named = Object.keys(files).map((name) => join(directory, name));
      for (const key of [fingerprint, spelled, publicKey, ...named]) {
        const { status, out } = verify(pdf, ['--key', key]);
        expect([key, status]).toEqual([key, 0]);
        expect(out).toContain('Unaltered: every byte is as it was sealed, and every picture');
        expect(out).toContain(fingerprint);
      }
      expect(verify(pdf, [publicKey]).status).toBe(0);
    });

    it('reads a key that begins with a hyphen, and is no option', () => {
      const begins = (start: RegExp): string => {
        for (;;) {
          const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
          if (start.test(x!)) return x!;
        }
      };
      const other = begins(/^-/);
      for (const keys of [
        ['--key', other, '--key', fingerprint],
        ['--key', fingerprint, other],
        [other, fingerprint],
      ])
        expect([keys, verify(pdf, keys).status]).toEqual([keys, 0]);
      expect(verify(pdf, ['--key', other]).out).toContain('NOT VOUCHED FOR');
    });

    it('accepts the key of the installation in which the check runs', () => {
      const { status, out } = verify(pdf, [], room.app.place.dataDir);
      expect([status, out]).toEqual([0, expect.stringContaining('the key of this installation')]);
      expect(verify(pdf, ['--key', '0'.repeat(64)], room.app.place.dataDir).status).toBe(2);
    });

    it('accepts no key from a damaged or empty file', () => {
      const empty = mkdtempSync(join(directory, 'data-'));
      writeFileSync(join(empty, 'seal-key'), '');
      expect(verify(pdf, [], empty)).toEqual({ status: 2, out: expect.stringContaining('holds no key') });
      expect(verify(pdf, ['--key', 'nonsense'])).toEqual({
        status: 2,
        out: expect.stringContaining('neither a fingerprint'),
      });
    });

    it('names the changed picture', () => {
      const { status, out } = trusting(withBytes(pdf, pdf.indexOf(jpeg) + jpeg.length - 20, 'X'));
      expect(status).toBe(1);
      expect(out).toContain('altered after it was sealed');
      expect(out).toMatch(/Photograph 1, Kitchen, .* \(page \d+\) is not the picture that was recorded/);
      expect(out).not.toMatch(/unaltered|Photograph 2/i);
    });

    it.each([
      ['a revision behind it', () => Buffer.concat([pdf, Buffer.from('\n% one more revision\n')])],
      ['a byte in front of it', () => Buffer.concat([Buffer.from('\n'), pdf])],
      ['a byte less', () => pdf.subarray(0, -1)],
      ['its first half', () => pdf.subarray(0, pdf.length / 2)],
      ['another date in the page', () => withBytes(pdf, 2000, Buffer.from([pdf[2000]! ^ 1]))],
    ])('exits with 1 for %s', (_, change) => {
      const { status, out } = trusting(change());
      expect([status, out]).toEqual([1, expect.stringContaining('ALTERED')]);
      expect(out).not.toMatch(/unaltered/i);
    });

    it('checks the picture shown by an appended revision, not the original that is still in the file', () => {
      const other = readFileSync(samplePhotograph('hallway'));
      const { status, out } = trusting(appendedPicture(pdf, jpeg, other));
      expect(status).toBe(1);
      expect(out).toMatch(/Photograph 1, Kitchen, .* is not the picture that was recorded/);
      expect(out).toContain('2 of 3 pictures');
    });

    it('exits with 1 for the seal of another report, and for a second seal after it', async () => {
      const other = (await made()).file;
      const seal = (file: Buffer) =>
        file.subarray(file.indexOf(SEAL_MARK), file.indexOf(SEAL_MARK) + SEAL_MARK.length + 132);
      expect(trusting(withBytes(pdf, pdf.indexOf(SEAL_MARK), seal(other))).status).toBe(1);
      const stranger = Buffer.concat([pdf, Buffer.from('\n'), seal(sealedAgain(pdf))]);
      expect(trusting(stranger).status).toBe(1);
    });
  });

  describe('without such a key', () => {
    it('never confirms that the file is unaltered, but names the key of the seal', () => {
      const { status, out } = verify(pdf);
      expect([status, out]).toEqual([2, expect.stringContaining(fingerprint)]);
      expect(out).toContain('NOT VOUCHED FOR');
      expect(out).toContain('3 of 3 pictures');
      expect(out).not.toMatch(/unaltered/i);
    });

    it('exits with 2 for a report that was changed and sealed again with another key', () => {
      const changed = sealedAgain(withBytes(pdf, pdf.indexOf(jpeg) + jpeg.length - 20, 'X'));
      for (const { status, out } of [
        verify(changed),
        trusting(changed),
        verify(changed, [], room.app.place.dataDir),
      ]) {
        expect([status, out]).toEqual([2, expect.stringContaining('NOT VOUCHED FOR')]);
        expect(out).toMatch(/Photograph 1, Kitchen, .* is not the picture that was recorded/);
        expect(out).not.toContain(fingerprint);
        expect(out).not.toMatch(/unaltered/i);
      }
    });

    withQpdf.each([[[]], [['--linearize']], [['--object-streams=generate']]])(
      'counts after another program saved it (qpdf %j) the pictures that are still the same',
      (options) => {
        for (const { status, out } of [trusting(saved(...options)), verify(saved(...options))]) {
          expect([status, out]).toEqual([2, expect.stringContaining('NO SEAL')]);
          expect(out).toContain('3 of 3 pictures');
          expect(out).not.toMatch(/unaltered|is not the picture/i);
        }
      },
    );

    withQpdf('names a replaced picture in such a file', () => {
      const again = saved();
      const { status, out } = verify(appendedPicture(again, jpeg, readFileSync(samplePhotograph('hallway'))));
      expect([status, out]).toEqual([2, expect.stringContaining('2 of 3 pictures')]);
      expect(out).toMatch(/Photograph 1, Kitchen, .* is not the picture that was recorded/);
    });
  });

  it.each([
    ['nothing', () => Buffer.alloc(0)],
    ['no PDF', () => Buffer.from('no report')],
    ['ten megabytes of zeros', () => Buffer.alloc(10_000_000)],
    [
      'ten megabytes of streams in streams',
      () => Buffer.from('%PDF-1.7\n' + '1 0 obj <</Length 9>> stream\n'.repeat(350_000)),
    ],
    ['marks of seals alone', () => Buffer.from(`${SEAL_MARK} `.repeat(100_000))],
  ])('exits with 2, and a sentence, for %s', (_, file) => {
    const { status, out } = trusting(file());
    expect([status, out]).toEqual([2, expect.stringContaining('NO SEAL')]);
    expect(out).not.toMatch(/unaltered|\n\s+at /i);
  });

  it('exits with 2 for a missing file', () => {
    const script = join(__dirname, '..', 'scripts', 'verify.mjs');
    expect(spawnSync(process.execPath, [script, join(directory, 'none.pdf')]).status).toBe(2);
    expect(spawnSync(process.execPath, [script]).status).toBe(2);
  });

  it('is accompanied by the list of evidence, signed with the hash of the file', async () => {
    const sessionId = session();
    await photographs(sessionId, 2, room.keyed.flowId);
    const { body } = await render({ sessionId }, room.keyed.headers);
    const path = `/api/v1/pdf/reports/${body.file.id}/manifest`;
    expect((await client.send('GET', path)).status).toBe(401);
    const beside = (await client.send('GET', path, undefined, room.keyed.headers)).body;
    expect(beside.signed.file).toEqual({ bytes: body.file.bytes, sha256: body.file.sha256 });
    expect(beside.signed.manifest.photographs).toMatchObject([
      { number: 1, page: expect.any(Number), area: 'Kitchen', capturedAtSource: 'captureTs' },
      { number: 2, original: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    ]);
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: beside.publicKey }, format: 'jwk' });
    const signature = Buffer.from(beside.signature as string, 'base64url');
    expect(verifySignature(null, Buffer.from(JSON.stringify(beside.signed)), key, signature)).toBe(true);
  });
});
