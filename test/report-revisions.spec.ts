import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkReport } from '../scripts/verify/check-report.mjs';
import { ALTERATIONS } from './fixtures/alterations.js';
import { COVERINGS } from './fixtures/coverings.js';
import { RenderFixture } from './fixtures/renders.js';
import { withRevision } from './support/appended-revision.js';
import { readPdf } from './support/read-pdf.js';
import { SealedPdf } from './support/sealed-pdf.js';
import { personNamed, signedBy } from './support/signing-people.js';

describe('the verification of a sealed report', () => {
  const room = new RenderFixture();
  let pdf: Buffer;
  let fingerprint: string;
  let report: SealedPdf;

  beforeAll(async () => {
    await room.start();
    const sessionId = room.session();
    await room.photographs(sessionId, 2, room.flowId, 'Hall');
    const { body } = await room.render({ sessionId, meta: { address: '1 High Street' } });
    pdf = Buffer.from(await (await fetch(body.file.url as string)).arrayBuffer());
    ({ fingerprint } = (await room.client.send('GET', '/api/v1/pdf/seal')).body);
    report = new SealedPdf(pdf);
  });

  afterAll(() => room.close());

  function verify(file: Uint8Array, key = fingerprint) {
    const { code, lines, revisions, pictures } = checkReport(file, new Map([[key, 'given']]));
    return { status: code, out: [...lines, ...revisions, ...pictures.faults, pictures.sentence].join('\n') };
  }

  it('is explained on the last page, with the fingerprint of the key', () => {
    const path = join(room.app.place.dataDir, 'sealed.pdf');
    writeFileSync(path, pdf);
    const last = readPdf(path).pages.at(-1)!;
    const words = last.texts.map(({ text }) => text).join(' ');
    expect(words).toContain('How to check this report');
    expect(words).toContain(fingerprint);
    expect(words).toMatch(/fingerprint .*by a different route from the report/);
  });

  describe('reports as unaltered', () => {
    it.each(['RSA', 'EC'] as const)("another person's signature, with their name (%s)", async (kind) => {
      const { status, out } = verify(await signedBy(await personNamed('Tom Ant', kind), pdf));
      expect([status, out]).toEqual([0, expect.stringContaining('Revision 2: signed by "Tom Ant"')]);
      expect(out).toMatch(/not vouched for, dated \d{4}-/);
      expect(out).toContain('Unaltered: every byte of the first revision is as it was sealed');
      expect(out).not.toMatch(/does not fit|not of the whole file/);
    });

    it('a second signature after the first, and a comment between them', async () => {
      const once = await signedBy(await personNamed('Clerk One'), pdf);
      const twice = await signedBy(await personNamed('Tenant Two'), once);
      const { status, out } = verify(twice);
      expect([status, out]).toEqual([
        0,
        expect.stringMatching(/Revision 2: .*"Clerk One".*\nRevision 3: .*"Tenant Two"/),
      ]);
    });

    it.each([
      ['a note', '/Subtype /Text /Rect [100 700 120 720] /Contents (I do not agree)'],
      [
        'a text beside all words',
        '/Subtype /FreeText /Rect [60 90 300 200] /Contents (Signed under protest)',
      ],
      [
        'a highlight',
        '/Subtype /Highlight /Rect [40 700 300 790] /C [1 1 0] /QuadPoints [40 790 300 790 40 700 300 700]',
      ],
      ['a line under words', '/Subtype /Underline /Rect [40 700 300 790] /C [1 0 0]'],
      ['the window of a note', '/Subtype /Popup /Rect [40 400 300 790]'],
      ['an unsigned field', '/Subtype /Widget /FT /Sig /T (tenant) /Rect [0 0 0 0]'],
    ])('%s', (_, mark) => {
      const { status, out } = verify(report.marked(mark));
      expect([status, out]).toEqual([0, expect.stringContaining('Revision 2: signed by nobody')]);
      expect(out).toContain('Unaltered');
    });

    it('a note in a revision with a cross-reference stream', () => {
      const objects = {
        ...report.withEntry(report.pages[0]!, ''),
        ...report.withEntry(report.root, '/Version /1.7'),
      };
      expect(verify(report.with({ objects, asStream: true })).status).toBe(0);
    });

    it.each([
      ['Underline', '1 0 0 RG .8 w 0 2 m 240 2 l 0 20 m 180 20 l S'],
      [
        'Squiggly',
        `.5 w 0 0 m ${Array.from({ length: 60 }, (_, x) => `${4 * x + 4} ${x % 2 ? 0 : 1.2} l`).join(' ')} S`,
      ],
      ['StrikeOut', 'q 1 0 0 1 0 5 cm 0 0 1 RG 1 w 0 0 m 240 0 l S Q'],
    ])('the drawing of a thin line over words (%s)', (subtype, content) => {
      const rect = '/Rect [40 610 280 790]';
      const mark = `/Subtype /${subtype} ${rect} /AP << /N ${report.fresh + 1} 0 R >>`;
      const drawn = { [report.fresh + 1]: report.drawing(content) };
      expect(verify(report.marked(mark, undefined, drawn)).status).toBe(0);
    });

    it('a highlight that multiplies a light colour with the page', () => {
      const multiply = '/Resources << /ExtGState << /G << /BM /Multiply >> >> >>';
      const mark = `/Subtype /Highlight /Rect [40 700 300 790] /AP << /N ${report.fresh + 1} 0 R >>`;
      const through = { [report.fresh + 1]: report.drawing('/G gs 1 1 0 rg 0 0 240 180 re f', multiply) };
      expect(verify(report.marked(mark, undefined, through)).status).toBe(0);
    });
  });

  describe('reports as an alteration', () => {
    it.each(Object.entries({ ...ALTERATIONS, ...COVERINGS }))('%s', (_, [said, made]) => {
      const { status, out } = verify(made(report));
      expect([status, out]).toEqual([1, expect.stringMatching(said)]);
      expect(out).toContain('ALTERED');
      expect(out).not.toMatch(/unaltered/i);
    });

    it('also one with a signature of its own', async () => {
      const picture = report.objectWith(/\/Subtype \/Image/);
      const body = report.bodyOf(picture).replace('/DeviceRGB', '/DeviceGray');
      const forged = report.with({ objects: { [picture]: body } });
      const { status, out } = verify(await signedBy(await personNamed('Inspection Report Service'), forged));
      expect([status, out]).toEqual([1, expect.stringContaining('replaces a picture')]);
      expect(out).not.toMatch(/unaltered/i);
    });

    it('a revision between two signatures that does more than sign', async () => {
      const once = await signedBy(await personNamed('Clerk One'), pdf);
      const turned = withRevision(once, { objects: report.withEntry(report.pages[1]!, '/Rotate 180') });
      const { status, out } = verify(await signedBy(await personNamed('Tenant Two'), turned));
      expect([status, out]).toEqual([
        1,
        expect.stringContaining('Revision 3, which came after the seal, changes "Rotate"'),
      ]);
    });
  });

  it('is fast for bytes that look like the beginning of seals', () => {
    const began = performance.now();
    for (const text of ['%', 'InspectionSeal1 ']) {
      const { status, out } = verify(Buffer.alloc(32_000_000, text));
      expect([status, out]).toEqual([2, expect.stringContaining('NO SEAL')]);
    }
    expect(performance.now() - began).toBeLessThan(60_000);
  });

  it('reports a signature with changed bytes as invalid', async () => {
    const signed = await signedBy(await personNamed('Tom Ant'), pdf);
    const at = signed.indexOf('/M (D:') + 7;
    signed[at] = signed[at] === 0x39 ? 0x38 : 0x39;
    const { status, out } = verify(signed);
    expect([status, out]).toEqual([0, expect.stringContaining('the signature does not fit the file')]);
  });

  it('recognises a signature by a key that the reader trusts, and never takes it for the seal', async () => {
    const person = await personNamed('Tom Ant');
    const signed = await signedBy(person, pdf);
    const key = Buffer.from(
      await crypto.subtle.digest('SHA-256', person.certificate.subjectPublicKeyInfo.toSchema().toBER()),
    );
    const { status, out } = verify(signed, key.toString('hex'));
    expect([status, out]).toEqual([2, expect.stringContaining('NOT VOUCHED FOR')]);
    expect(out).toContain('"Tom Ant"');
    expect(out).not.toMatch(/unaltered/i);
  });
});
