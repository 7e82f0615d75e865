import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { PhotographInput } from '../src/inspection/report/report-input.js';
import { documentOptions } from '../src/pdf/renderer/file/pdf-document.js';
import type { DrawingProgress } from '../src/pdf/renderer/page/page-renderer.js';
import { PdfRenderer, RenderError } from '../src/pdf/renderer/pdf-renderer.js';
import type { ReportJob, ReportOutcome } from '../src/pdf/renderer/render-job.js';
import { PAGE } from '../src/pdf/templates/look.js';
import { CHECK_PAGE, reportJob } from './support/draw-report.js';
import { type PdfContent, readPdf } from './support/read-pdf.js';
import { NOW, photographs, reportInput } from './support/report-input.js';

const SHAPES = { landscape: [640, 480], portrait: [480, 640], wide: [640, 360] } as const;
type Shape = keyof typeof SHAPES;

let folder: string;
const renderer = new PdfRenderer();
const files = new Map<string, string>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'report-pdf-'));
  for (const [shape, [width, height]] of Object.entries(SHAPES)) {
    const path = join(folder, `${shape}.jpg`);
    await sharp({ create: { width, height, channels: 3, background: '#6a8a9a' } })
      .jpeg()
      .toFile(path);
    files.set(shape, path);
  }
});
afterAll(async () => {
  await renderer.close();
  rmSync(folder, { recursive: true, force: true });
});

const shot = (areaName: string, shape: Shape = 'landscape', more: Partial<PhotographInput> = {}) => ({
  areaName,
  rendition: shape,
  width: SHAPES[shape][0],
  height: SHAPES[shape][1],
  ...more,
});

let drawn = 0;
function jobOf(
  meta: object,
  shots: readonly ReturnType<typeof shot>[],
  more: Partial<ReportJob> = {},
): ReportJob {
  const details = { type: 'inspection', sessionId: 'session' };
  const reports = [reportInput({ meta, photographs: photographs(shots) })];
  const outputPath = join(folder, `${++drawn}.pdf`);
  return reportJob({ contents: { details, now: NOW, reports }, pictures: files, outputPath, ...more });
}

interface Drawn {
  readonly path: string;
  readonly outcome: ReportOutcome;
  readonly pdf: PdfContent;
}

async function draw(meta: object, shots = [shot('Kitchen')], more: Partial<ReportJob> = {}): Promise<Drawn> {
  const job = jobOf(meta, shots, more);
  const outcome = await renderer.render(job);
  return { path: job.outputPath, outcome, pdf: readPdf(job.outputPath) };
}

const FULL = {
  address: 'Flat 4, 27 Marlborough Road, London',
  assessor: 'Helena Fairweather',
  tenant: 'Tomasz Wiśniewski',
  company: 'Hartwell Lets',
  reportType: 'checkin',
  guided: true,
  geo: { latitude: 51.501364, longitude: -0.14189 },
  areaComments: {
    'bedroom-1': ['Scuff behind the door.'],
    patio: ['Swept.'],
    'gas-meter': ['Locked cupboard.'],
  },
  keyDetails: { numberOfKeys: '4', takenFrom: 'Office', handedTo: 'Tenant' },
  skippedAreas: 'gas-meter',
};
const FULL_SHOTS = [
  shot('Electricity Meter', 'portrait'),
  shot('Bedroom 1'),
  shot('Bedroom 1', 'portrait'),
  shot('Bedroom 1'),
  shot('Patio', 'wide'),
];

describe('a whole report', () => {
  let full: Drawn;
  beforeAll(async () => (full = await draw(FULL, FULL_SHOTS)));

  it('prints the cover: title, guided line, address, company, inspector, tenant, date, place, reference', () => {
    const lines = full.pdf.pages[0]!.lines;
    expect(lines.slice(0, 12)).toEqual([
      'Check-In Inspection Report',
      'Guided Self Inspection',
      'Flat 4, 27 Marlborough Road, London',
      'Company  Hartwell Lets',
      'Inspector  Helena Fairweather',
      'Tenant  Tomasz Wiśniewski',
      'Inspection date  24 Oct 2026',
      'Report date  26 Oct 2026',
      'Location  51.501364, -0.141890',
      'Map  https://www.google.com/maps?q=51.501364,-0.141890',
      'Report reference  0199a1f2-7c3e-7b1a-9d55-3f1c2b7a9e40',
      'Contents',
    ]);
    expect(lines.at(-1)).toMatch(/^Report date 26 Oct 2026 {2}Page 1 of \d+ {2}Ref\. 2B7A9E40$/);
  });

  it('prints the sections in order, each heading once as a heading', () => {
    const headings = full.pdf.pages.flatMap(({ texts }) => texts.filter(({ role }) => /^H[23]$/.test(role)));
    expect(headings.map(({ text }) => text).filter((text) => !text.includes('photograph'))).toEqual([
      'Contents', 'Summary', 'Meters & Keys', 'Electricity Meter', 'Gas Meter', 'Keys', 'Bedroom 1',
      'External Areas', 'Patio', 'Declaration', CHECK_PAGE,
    ]); // prettier-ignore
    expect(full.pdf.bookmarks).toHaveLength(11);
  });

  it('gives the true page of every section in the contents', () => {
    const pageOf = (heading: string) =>
      1 +
      full.pdf.pages.findIndex(({ texts }) =>
        texts.some(({ role, text }) => /^H[23]$/.test(role) && text === heading),
      );
    for (const heading of ['Summary', 'Meters & Keys', 'Bedroom 1', 'External Areas', 'Declaration']) {
      expect(full.pdf.text).toContain(`${heading}  ${pageOf(heading)}\n`);
    }
  });

  it('prints the absence note, key details, and every remark under Additional Comment', () => {
    const text = full.pdf.text;
    expect(text).toContain(
      'Gas Meter\nNot available — reported by the inspector.\nAdditional Comment\nLocked cupboard.',
    );
    expect(text).toContain('Number of keys  4\nTaken from  Office\nHanded to  Tenant');
    expect(text).toContain('Additional Comment\nScuff behind the door.');
    expect(text.match(/Not available — reported by the inspector\./g)).toHaveLength(1);
  });

  it('prints every photograph whole, with its number and its own stamp under it', () => {
    const pictures = full.pdf.pages.flatMap((page) => page.pictures);
    expect(pictures.map(({ width, height }) => Math.round((width / height) * 100))).toEqual([
      75, 133, 75, 133, 178,
    ]);
    for (let number = 1; number <= 5; number += 1) {
      expect(full.pdf.text).toMatch(new RegExp(`Photograph ${number} {2}24 Oct 2026, 10:0${number - 1} BST`));
    }
  });

  it('aligns landscape and portrait: captions of a row on one line, pictures centred in equal frames', () => {
    const page = full.pdf.pages.find(({ texts }) => texts.some(({ text }) => text === 'Photograph 2'));
    const captions = page?.texts.filter(({ text }) => /^Photograph [23]$/.test(text)) ?? [];
    expect(captions[0]?.y).toBe(captions[1]?.y);
    const [landscape, portrait] =
      page?.pictures
        .slice(-4)
        .filter(({ y }) => y < (captions[0]?.y ?? 0))
        .slice(-2) ?? [];
    const middle = (picture: typeof landscape) => (picture?.y ?? 0) + (picture?.height ?? 0) / 2;
    expect(middle(landscape)).toBeCloseTo(middle(portrait), 1);
  });

  it('has signature lines: for the clerk with the inspector, for each tenant, for the agent with the company', async () => {
    const signed =
      'Clerk signature  Date\nHelena Fairweather\nTenant signature  Date\nTomasz Wiśniewski\nAgent signature  Date\n';
    const inspected = await draw({ ...FULL, guided: false }, FULL_SHOTS);
    for (const { text } of [full.pdf, inspected.pdf]) expect(text).toContain(signed);
    const two = await draw({ guided: true, tenant: 'Tomasz Wiśniewski\nZoë Li' });
    expect(two.pdf.text).toContain(
      'Clerk signature  Date\nTenant signature  Date\nTomasz Wiśniewski\nTenant signature  Date\nZoë Li',
    );
    expect(two.pdf.text).not.toContain('Agent');
    const nobody = await draw({});
    expect(nobody.pdf.text).toMatch(/Clerk signature  Date\nTenant signature  Date\n(?!.*signature)/s);
  });

  it("has a ruled box for the tenant's comments above the signature lines", () => {
    const page = full.pdf.pages.find(({ texts }) => texts.some(({ text }) => text === "Tenant's comments"))!;
    const top = page.texts.find(({ text }) => text === "Tenant's comments")!.y;
    const boxes = [...page.content.matchAll(/^([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re/gm)];
    const rules = boxes.map(([, , y, width]) => [Number(y), Number(width)] as const);
    expect(rules.filter(([y, width]) => y > top && y < top + 140 && width > 450).length).toBeGreaterThan(5);
    expect(full.pdf.text).toMatch(/Tenant's comments\n.*Clerk signature/s);
    expect(full.pdf.text.match(/Tenant's comments/g)).toHaveLength(1);
  });

  it('is a tagged document with language, title and alternative texts', () => {
    expect(full.pdf.alternatives).toEqual([
      'Photograph 1, Electricity Meter, 24 Oct 2026, 10:00 BST',
      'Photograph 2, Bedroom 1, 24 Oct 2026, 10:01 BST',
      'Photograph 3, Bedroom 1, 24 Oct 2026, 10:02 BST',
      'Photograph 4, Bedroom 1, 24 Oct 2026, 10:03 BST',
      'Photograph 5, Patio, 24 Oct 2026, 10:04 BST',
    ]);
    expect(full.pdf.roles.slice(0, 2)).toEqual(['Document', 'Sect']);
    for (const role of [
      'H1',
      'H2',
      'H3',
      'P',
      'Table',
      'TR',
      'TH',
      'TD',
      'Figure',
      'Caption',
      'Link',
      'TOC',
    ]) {
      expect(full.pdf.roles).toContain(role);
    }
    expect(full.pdf.dictionaries).toMatch(/\/Lang \(en-GB\)/);
    expect(full.pdf.dictionaries).toMatch(/\/Marked true/);
    expect(full.pdf.dictionaries).toMatch(/\/DisplayDocTitle true/);
  });

  it('tags every text as content of an element or as an artifact', () => {
    for (const { texts } of full.pdf.pages) for (const { role } of texts) expect(role).not.toBe('');
  });

  it('has no active content', () => {
    expect(full.pdf.dictionaries).not.toMatch(
      /\/(JavaScript|JS|Launch|OpenAction|AA|SubmitForm|GoToR|RichMedia|AcroForm)\b/,
    );
  });

  it('returns the size and hash of the file, and the page of every photograph', () => {
    expect(full.outcome.bytes).toBe(statSync(full.path).size);
    const sum = execFileSync(process.execPath, [
      '-p',
      `require('crypto').createHash('sha256').update(require('fs').readFileSync(${JSON.stringify(full.path)})).digest('hex')`,
    ]);
    expect(full.outcome.sha256).toBe(sum.toString().trim());
    full.outcome.photographPages.forEach((page, index) => {
      expect(full.pdf.pages[page - 1]?.texts.map(({ text }) => text)).toContain(`Photograph ${index + 1}`);
    });
  });

  it('has the same bytes when it is redrawn, in another worker too', async () => {
    const again = await draw(FULL, FULL_SHOTS);
    const other = new PdfRenderer();
    const elsewhere = await other.render(jobOf(FULL, FULL_SHOTS));
    await other.close();
    expect(again.outcome.sha256).toBe(full.outcome.sha256);
    expect(elsewhere.sha256).toBe(full.outcome.sha256);
  });

  const poppler = spawnSync('pdftotext', ['-v']).error === undefined;
  if (!poppler && !process.env.REQUIRE_SERVICES)
    console.warn('pdftotext is not installed: its reading of the report is not checked.');
  (poppler || process.env.REQUIRE_SERVICES ? it : it.skip)(
    'is read by pdftotext with every fixed string and stamp unbroken',
    () => {
      const text = execFileSync('pdftotext', ['-layout', full.path, '-']).toString();
      for (const fixed of [
      'Check-In Inspection Report', 'Guided Self Inspection', 'Flat 4, 27 Marlborough Road, London', 'Meters & Keys',
      'Keys', 'Not available — reported by the inspector.', 'Additional Comment', 'External Areas', 'Bedroom 1',
      '24 Oct 2026, 10:00 BST', '24 Oct 2026, 10:04 BST', 'Helena Fairweather', 'Tomasz Wiśniewski',
    ]) expect(text).toContain(fixed); // prettier-ignore
    },
  );
});

describe('a report of any size', () => {
  it.each([1, 2, 3, 41])('numbers and prints %i photographs, two per row', async (count) => {
    const { pdf } = await draw(
      {},
      Array.from({ length: count }, () => shot('Kitchen')),
    );
    const pictures = pdf.pages.flatMap((page) => page.pictures);
    expect(pictures).toHaveLength(count);
    // Two side by side, and the last one of an odd number by itself.
    pictures.forEach(({ y }, index) => {
      const mate = index % 2 === 0 ? pictures[index + 1] : pictures[index - 1];
      if (mate) expect(mate.y).toBe(y);
    });
    expect(pdf.text).toContain(`Photograph ${count}  `);
  });

  it('puts a heading on the page of its first row of photographs', async () => {
    const shots = Array.from({ length: 30 }, (_, room) => [
      shot(`Room ${room}`),
      shot(`Room ${room}`, 'portrait'),
    ]).flat();
    const { pdf } = await draw({}, shots);
    for (const { texts } of pdf.pages) {
      const headings = texts.filter(({ role, text }) => role === 'H2' && text.startsWith('Room'));
      for (const { y } of headings) {
        expect(texts.some(({ role, y: below }) => role === 'Caption' && below > y)).toBe(true);
      }
    }
  });
});

describe('a picture that cannot be drawn', () => {
  it('is printed as a framed placeholder with its number and stamp if it is a photograph', async () => {
    writeFileSync(join(folder, 'cut.jpg'), readFileSync(join(folder, 'wide.jpg')).subarray(0, 900));
    const pictures = new Map([
      ...files,
      ['cut', join(folder, 'cut.jpg')],
      ['gone', join(folder, 'gone.jpg')],
    ]);
    const shots = [{ rendition: 'cut' }, { rendition: 'gone' }, { rendition: null }, {}].map((more) =>
      shot('Hall', 'landscape', more),
    );
    const { pdf, outcome } = await draw({}, shots, { pictures });
    expect(outcome.undrawn).toHaveLength(3);
    expect(pdf.text.match(/This photograph could not be drawn/g)).toHaveLength(3);
    for (const number of [1, 2, 3, 4])
      expect(pdf.text).toMatch(new RegExp(`Photograph ${number} {2}24 Oct 2026`));
    expect(pdf.alternatives).toHaveLength(4);
  });

  it('is left off the cover, with a warning, if it is a logo', async () => {
    const { outcome, pdf } = await draw({ logo: 'nothing', address: '1 High St' });
    expect(outcome.warnings).toEqual([expect.objectContaining({ code: 'logo_not_drawn' })]);
    expect(pdf.text).toContain('1 High St');
  });
});

describe('texts of any kind', () => {
  const squeeze = (text: string) => text.replace(/\s+/g, '');

  it('print literally: markup, entities, templates, blanks', async () => {
    const address = "<b>1</b> &amp; {{x}}   %s (a) \\ ')";
    const { pdf } = await draw({ address });
    expect(pdf.pages[0]?.lines).toContain(address);
  });

  it('are never truncated: a million characters in the address', async () => {
    const words = ['Bridge', 'house,', 'côté', '17', 'river-side', 'London'];
    const parts: string[] = [];
    for (let length = 0, seed = 7; length < 1_000_000; length += (parts.at(-1)?.length ?? 0) + 1) {
      seed = (seed * 48_271) % 2_147_483_647;
      parts.push(words[seed % words.length] ?? '');
    }
    const address = parts.join(' ');
    const { pdf } = await draw({ address });
    const texts = pdf.pages.flatMap((page) => page.texts.filter(({ role }) => role !== 'Artifact'));
    expect(squeeze(texts.map(({ text }) => text).join('')).includes(squeeze(address))).toBe(true);
  });

  it('are never truncated: a word of 100,000 characters without a blank', async () => {
    const { pdf } = await draw({ tenant: 'x'.repeat(100_000) });
    expect(pdf.text.match(/x/g)?.length).toBeGreaterThanOrEqual(200_000);
  });

  it('of 40 characters fit on one line of the cover, however wide their letters', async () => {
    const [address, assessor] = ['W'.repeat(40), '漢'.repeat(40)];
    const { pdf } = await draw({ address, assessor });
    expect(pdf.pages[0]?.lines).toContain(address);
    expect(pdf.pages[0]?.lines).toContain(`Inspector  ${assessor}`);
  });

  it('print in Polish, Greek, Cyrillic, Chinese, Korean, Arabic and Hebrew', async () => {
    const names = ['Świętosława Łącka', 'Αθηνά Παπαδοπούλου', 'Наталья Щербакова', '王小明', '김민준'];
    const { pdf } = await draw({ areaComments: { Kitchen: [...names, 'غرفة النوم', 'חדר (שינה)'] } });
    for (const name of names) expect(pdf.text).toContain(`Additional Comment\n${name}`);
    const reversed = (text: string) => [...text].reverse().join('');
    expect(pdf.text).toContain(reversed('غرفة'));
    expect(pdf.text).toContain(reversed('חדר (שינה)'));
    expect(pdf.text).not.toContain('\ufffd');
  });

  it('start at the edge of their label or column, from right to left too', async () => {
    const meta = {
      address: 'الطابق الأول (شقة 4)',
      company: 'שלום (בע"מ)',
      assessor: 'ליאור כהן',
      tenant: 'ليلى حداد',
    };
    const { pdf } = await draw(meta, [shot('الطابق (الأول)'), shot('חדר (שינה)')]);
    // The label of the box for comments is within its frame.
    const [first, label, boxed] = [PAGE.left, PAGE.left + 112, PAGE.left + 7.6];
    for (const [index, { texts }] of pdf.pages.entries()) {
      const starts = new Map<number, number>();
      for (const { x, y, text, role } of texts) {
        if (role === 'Artifact' || text.trim() === '' || role === 'TH') continue;
        starts.set(Math.round(y), Math.min(starts.get(Math.round(y)) ?? Infinity, x));
      }
      const others = [...starts.values()].filter(
        (x) => ![first, label, boxed].some((start) => Math.abs(x - start) < 3),
      );
      expect([index, others]).toEqual([index, []]);
    }
    const names = pdf.pages.at(-2)!.texts.filter(({ text }) => /ןהכ|דادח|دادح/.test(text));
    expect(names).toHaveLength(2);
    for (const { x } of names) expect(x).toBeLessThan(first + 60);
  });

  it('retain emoji with tones, keycaps, families, flags and tags', async () => {
    const england = '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';
    const remark = `Room 1️⃣: 👍🏽 seen by 👩🏿‍🔧, for 👨‍👩‍👧‍👦 from 🇬🇧 ${england} ❤️`;
    const { pdf } = await draw({ address: remark, areaComments: { Kitchen: [remark] } });
    expect(pdf.text).toContain(`Additional Comment\n${remark}`);
    expect(pdf.pages[0]?.texts.map(({ text }) => text).join('')).toContain(remark);
  });

  it('read in the written order, despite any bidirectional controls', async () => {
    const { pdf } = await draw(
      {
        address: 'Flat \u202etsrif\u202c floor',
        areaComments: { Kitchen: ['\u202don egamad\u202c seen', 'a \u202bб\u202c b'] },
      },
      [shot('Kitchen'), shot('Loft \u202etfol')],
    );
    expect(pdf.text).toContain('Flat tsrif');
    expect(pdf.text).toContain('on egamad');
    expect(pdf.text).toContain('a б b');
    expect(pdf.bookmarks).toContain('Loft tfol');
    const info = { title: 'a\u202eb', keywords: '', language: 'en-GB', createdAt: 0 };
    expect(documentOptions(info)).toMatchObject({ info: { Title: 'ab' } });
  });

  it('name the characters that no font has, and draw compatibility letters as their equivalents', async () => {
    const { pdf, outcome } = await draw({ address: 'ᚠuay 𝔘nit', tenant: '𝕋\u0007' });
    expect(pdf.text).toContain('\ufffduay Unit');
    expect(pdf.text).toContain('Tenant  T\ufffd');
    expect(outcome.warnings).toEqual([
      { code: 'unprintable_characters', message: expect.stringContaining('U+16A0 "ᚠ", U+0007:') },
    ]);
    expect((await draw({ address: 'Quay Ünit' })).outcome.warnings).toEqual([]);
    expect((await draw({ address: 'Flat 7\tQuay\u2028Leeds' })).outcome.warnings).toEqual([]);
  });

  it('show a character that no font has, and survive every control character', async () => {
    const controls = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)).join('');
    const { pdf } = await draw({
      address: `a${controls}\u007f\u0085\ue000\ud800b`,
      company: '\u202e\u2066\ufeff',
      tenant: 'c',
    });
    expect(pdf.text).toMatch(/a\ufffd+/);
    expect(pdf.text).toMatch(/\ufffdb/);
    expect(pdf.text).toContain('Tenant  c');
  });

  it('may be ten thousand remarks', async () => {
    const remarks = Array.from({ length: 10_000 }, (_, index) => `Remark ${index}.`);
    const { pdf } = await draw({ areaComments: { Kitchen: remarks } });
    expect(pdf.text.match(/Additional Comment/g)).toHaveLength(10_000);
    expect(pdf.text).toContain('Remark 9999.');
  });

  it("include a photograph's own caption, whole", async () => {
    const { pdf } = await draw({}, [
      shot('Kitchen', 'landscape', { caption: `Crack above the window ${'far '.repeat(500)}end` }),
    ]);
    expect(pdf.text).toMatch(/Photograph 1 .*\nCrack above the window far/);
    expect(pdf.text).toContain('far end');
  });
});

describe('the renderer', () => {
  it('reports its progress', async () => {
    const progress: DrawingProgress[] = [];
    const shots = Array.from({ length: 30 }, () => shot('Kitchen'));
    const { pages } = await renderer.render(jobOf({}, shots), { onProgress: (at) => progress.push(at) });
    expect(progress.at(-1)).toEqual({ page: pages, pages, photographs: 30 });
  });

  it('stops at its time limit, at a signal and at its memory limit, and draws the next document', async () => {
    const small = new PdfRenderer({ timeLimitMs: 150 });
    const job = jobOf({ address: 'word '.repeat(400_000) }, [shot('Kitchen')]);
    const failure = (promise: Promise<unknown>) =>
      promise.then(
        () => 'drawn',
        (error: RenderError) => error.failure,
      );
    expect(await failure(small.render(job))).toBe('too_slow');
    await small.close();
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 100);
    expect(await failure(renderer.render(job, { signal: abort.signal }))).toBe('aborted');
    const narrow = new PdfRenderer({ memoryLimitMb: 24 });
    expect(await failure(narrow.render(job))).toBe('out_of_memory');
    const next = jobOf({}, [shot('Kitchen')]);
    expect((await renderer.render(next)).pages).toBeGreaterThan(1);
    await narrow.close();
  });

  it('leaves no part of a file if it cannot write', async () => {
    const outputPath = join(folder, 'no-such-folder', 'out.pdf');
    await expect(renderer.render(jobOf({}, [shot('Kitchen')], { outputPath }))).rejects.toThrow(RenderError);
    expect(existsSync(outputPath)).toBe(false);
  });
});
