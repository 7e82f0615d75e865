import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PdfRenderer } from '../src/pdf/renderer/pdf-renderer.js';
import { PAGE } from '../src/pdf/templates/look.js';
import { reportJob } from './support/draw-report.js';
import { type PdfContent, readPdf } from './support/read-pdf.js';
import { type PdfStructure, readStructure, type Tagged } from './support/read-structure.js';
import { casePictures, readCase } from './support/report-cases.js';

/**
 * The tags of a report, clause by clause of ISO 14289-1 (PDF/UA-1). This is no validator; no package of this project
 * has one, and the file claims no conformance.
 */
const folder = mkdtempSync(join(tmpdir(), 'report-structure-'));
const renderer = new PdfRenderer();
afterAll(async () => {
  await renderer.close();
  rmSync(folder, { recursive: true, force: true });
});

const CASES = ['check-in-full', 'comparison', 'long-remarks', 'names-within-areas', 'missing-pictures'];

describe.each(CASES)('the tags of the report of the case %s', (name) => {
  let pdf: PdfContent;
  let structure: PdfStructure;
  const all = (role: string): Tagged[] => structure.all.filter((element) => element.role === role);

  beforeAll(async () => {
    const outputPath = join(folder, `${name}.pdf`);
    const pictures = await casePictures(join(folder, 'pictures'));
    await renderer.render(reportJob({ contents: readCase(name), pictures, outputPath }));
    pdf = readPdf(outputPath);
    structure = readStructure(outputPath);
  });

  it('7.1: declare the file tagged, without suspects', () => {
    const info = structure.file.dict(structure.catalogue.get('MarkInfo'));
    expect([info?.get('Marked'), info?.has('Suspects')]).toEqual([true, false]);
  });

  it('7.1: contain every text once, or it is an artifact', () => {
    const onPages = pdf.pages.flatMap(({ marked }) => [...marked.values()]);
    expect(structure.document.text.length).toBe(onPages.join('').length);
    for (const { texts } of pdf.pages) for (const { role } of texts) expect(role).not.toBe('');
  });

  it('7.1: have headings and figures in the order of the pages', () => {
    const places = structure.all
      .filter(({ role }) => /^(H\d|Figure)$/.test(role))
      .map(({ page = -1, mark = -1 }) => page * 100_000 + mark);
    expect(places).toEqual([...places].sort((one, other) => one - other));
  });

  it('7.1: have standard roles only, without a role map', () => {
    const standard = /^(Document|Sect|H[1-6]|P|Link|TOC|TOCI|Reference|Table|TR|TH|TD|Figure|Caption|Span)$/;
    for (const { role } of structure.all) expect(role).toMatch(standard);
    expect(structure.file.dict(structure.catalogue.get('StructTreeRoot'))?.has('RoleMap')).toBe(false);
  });

  it('7.1: give the title that a window shows', () => {
    const preferences = structure.file.dict(structure.catalogue.get('ViewerPreferences'));
    expect(preferences?.get('DisplayDocTitle')).toBe(true);
  });

  it('7.2: separate parts that are apart on the page', () => {
    const captions = all('Caption').map(({ text }) => text);
    expect(captions.length).toBeGreaterThan(0);
    for (const caption of captions)
      expect(caption).toMatch(
        /^Photograph \d+(, [a-z]+(-[a-z]+)?)?( · .+?)? \d{1,2} \w{3} \d{4}, \d\d:\d\d (BST|GMT)( |$)/,
      );
    for (const { text } of all('TOCI')) expect(text).toMatch(/[^\s\d] \d+$|\d \d+$/);
    for (const { text, kids } of structure.all)
      if (kids.length === 0)
        expect(text).not.toMatch(/(BST|GMT)[^\s,;.)–-]|signatureDate|[a-z]\d+ photographs?$/);
  });

  it('7.3: give each figure an alternative text and a box on its page', () => {
    const figures = all('Figure');
    expect(figures.length).toBeGreaterThan(0);
    for (const { alternative, attributes } of figures) {
      expect(alternative).toMatch(/\S/);
      const [left, bottom, right, top] = attributes.BBox as [number, number, number, number];
      expect(attributes.O).toBe('Layout');
      expect(left).toBeGreaterThanOrEqual(PAGE.left - 0.5);
      expect(right).toBeLessThanOrEqual(PAGE.width - PAGE.right + 0.5);
      expect(right - left).toBeGreaterThan(40);
      expect(bottom).toBeGreaterThanOrEqual(PAGE.bottom - 0.5);
      expect(top).toBeLessThanOrEqual(PAGE.height - PAGE.top + 0.5);
    }
  });

  it('7.3: have the picture of each figure within its box', () => {
    const boxes = all('Figure').map(({ page, attributes }) => ({ page, box: attributes.BBox as number[] }));
    pdf.pages.forEach(({ pictures }, page) => {
      for (const { x, y, width, height } of pictures) {
        const bottom = PAGE.height - y - height;
        const around = boxes.filter(
          ({ page: on, box: [left = 0, low = 0, right = 0, top = 0] }) =>
            on === page &&
            left <= x + 1 &&
            low <= bottom + 1 &&
            right >= x + width - 1 &&
            top >= bottom + height - 1,
        );
        expect(around).toHaveLength(1);
      }
    });
  });

  it('7.4: begin headings with the first level and skip none', () => {
    const levels = structure.all.flatMap(({ role }) => /^H(\d)$/.exec(role)?.[1] ?? []).map(Number);
    expect(levels[0]).toBe(1);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    levels.slice(1).forEach((level, index) => expect(level).toBeLessThanOrEqual((levels[index] ?? 0) + 1));
  });

  it('7.5: give each head cell its scope, and each table row the same number of cells', () => {
    for (const { attributes } of all('TH')) {
      expect(attributes.O).toBe('Table');
      expect(attributes.Scope).toMatch(/^(Row|Column)$/);
    }
    for (const { kids } of all('Table')) {
      const widths = new Set(kids.map((row) => row.kids.length));
      expect([...widths]).toHaveLength(1);
      expect(kids.flatMap((row) => row.kids.map(({ role }) => role)).includes('TH')).toBe(true);
    }
  });

  it('7.5: make the labels of the cover the heads of their values', () => {
    const rows = all('TR').filter(({ kids: [head] }) => head?.attributes.Scope === 'Row');
    const reference = rows.find(({ kids: [head] }) => head?.text === 'Report reference');
    expect(reference?.kids.map(({ role }) => role).slice(0, 2)).toEqual(['TH', 'TD']);
    expect(reference?.kids[1]?.text).toMatch(/^\S+$/);
  });

  it('7.8: mark running heads and footers as artifacts of their kind', () => {
    const pages = pdf.pages.map(({ texts }) => texts.filter(({ role }) => role === 'Artifact'));
    pages.forEach((texts, page) => {
      expect(texts.map(({ text }) => text)).toContain(`Page ${page + 1} of ${pages.length}`);
    });
    expect(structure.document.text).not.toMatch(/Page \d+ of \d+/);
  });

  it('7.18: order the tabs of each page by structure', () => {
    for (const { dict } of structure.file.pages) expect(dict.get('Tabs')).toMatchObject({ value: 'S' });
  });

  it('7.18.5: have each link under a Link element, with a description', () => {
    const { file } = structure;
    const links = file.pages.flatMap(({ dict }) =>
      file.list(dict.get('Annots')).map((link) => file.dict(link)!),
    );
    expect(all('Link').reduce((sum, { annotations }) => sum + annotations, 0)).toBe(links.length);
    for (const link of links) {
      expect(link.get('Contents')).toBeDefined();
      expect(link.get('StructParent')).toEqual(expect.any(Number));
    }
    for (const { role, annotations } of structure.all)
      expect(role === 'Link' || annotations === 0).toBe(true);
  });
});

describe('a text of several lines', () => {
  const remark = 'Scuffed\nbehind the door.\n\nSwept ' + 'and '.repeat(60) + 'clean.';
  let structure: PdfStructure;
  beforeAll(async () => {
    const { details, now, reports } = readCase('one-photograph');
    const outputPath = join(folder, 'lines.pdf');
    const pictures = await casePictures(join(folder, 'pictures'));
    const [report] = reports;
    const meta = {
      ...(report?.meta as object),
      areaComments: { Hall: [remark] },
      address: '1 High St\nLeeds',
    };
    await renderer.render(
      reportJob({ contents: { details, now, reports: [{ ...report!, meta }] }, pictures, outputPath }),
    );
    structure = readStructure(outputPath);
  });

  it('7.2: has a blank for each line end, and no torn word', () => {
    const texts = structure.all.filter(({ role }) => role === 'P').map(({ text }) => text);
    expect(texts).toContain('1 High St Leeds');
    expect(texts).toContain(remark.replaceAll('\n', ' '));
  });
});

describe('texts of other languages', () => {
  const remarks = [
    'Παρακαλώ Petros',
    'غرفة النوم',
    '北京路 12',
    'カメラ室',
    'ქართული ენა',
    'Հայաստան',
    'ኢትዮጵያ',
    '김민준',
    'קומה',
  ];
  let pdf: PdfContent;
  let structure: PdfStructure;
  let warnings: readonly unknown[];
  beforeAll(async () => {
    const { details, now, reports } = readCase('one-photograph');
    const outputPath = join(folder, 'languages.pdf');
    const pictures = await casePictures(join(folder, 'pictures'));
    const meta = { address: 'ქუჩა Հայ አማ', areaComments: { Hall: remarks } };
    const job = { contents: { details, now, reports: [{ ...reports[0]!, meta }] }, pictures, outputPath };
    ({ warnings } = await renderer.render(reportJob(job)));
    [pdf, structure] = [readPdf(outputPath), readStructure(outputPath)];
  });

  it('7.2: declare the language of their script', () => {
    const byLanguage = new Map<string, string>();
    for (const { role, language = '', text } of structure.all)
      if (role === 'Span' && language !== '')
        byLanguage.set(language, (byLanguage.get(language) ?? '') + text);
    expect([...byLanguage.keys()].sort()).toEqual(['am', 'ar', 'el', 'he', 'hy', 'ja', 'ka', 'ko', 'zh']);
    expect(byLanguage.get('zh')).toContain('北京路');
    expect(byLanguage.get('ja')).toContain('カメラ室');
    expect(byLanguage.get('el')).not.toContain('Petros');
    expect(byLanguage.get('ka')).toContain('ენა');
  });

  it('7.1: stand whole in the text of their element, in any number of languages', () => {
    const paragraphs = structure.all.filter(({ role }) => role === 'P').map(({ text }) => text.trim());
    for (const remark of ['Παρακαλώ Petros', '北京路 12', 'ქართული ენა'])
      expect(paragraphs).toContain(remark);
  });

  it('7.1: are marked side by side, never within marked content of an element, which not every reader supports', () => {
    for (const { content } of pdf.pages) {
      const open: string[] = [];
      for (const [operator, opened] of content.matchAll(/(\/\w+ <<.*?>>|\/\w+) B[DM]C|\bEMC\b/g)) {
        if (operator === 'EMC') open.pop();
        else {
          expect(open.join()).not.toContain('MCID');
          open.push(opened!);
        }
      }
      expect(open).toEqual([]);
    }
  });

  it('stand at the right edge if they run from right to left', () => {
    const texts = pdf.pages.flatMap((page) => page.texts.filter(({ role }) => role === 'P'));
    for (const start of ['مونلا', 'המוק']) {
      const found = texts.find(({ text }) => text.includes(start));
      expect(found?.x).toBeGreaterThan(PAGE.width - PAGE.right - 80);
      expect(found?.x).toBeLessThan(PAGE.width - PAGE.right - 8);
    }
    expect(texts.find(({ text }) => text.includes('北京路'))?.x).toBeCloseTo(PAGE.left, 1);
  });

  it('print in Georgian, Armenian and Ethiopic, as headings too, without a gap', () => {
    expect(warnings).toEqual([]);
    expect(pdf.text).not.toContain('\ufffd');
    for (const remark of ['ქართული ენა', 'Հայաստան', 'ኢትዮጵያ', 'ქუჩა Հայ አማ'])
      expect(pdf.pages.flatMap(({ texts }) => texts.map(({ text }) => text))).toContain(remark);
    for (const script of ['Georgian', 'Armenian', 'Ethiopic'])
      for (const weight of ['Regular', 'SemiBold'])
        expect(pdf.dictionaries).toMatch(new RegExp(`NotoSans${script}-${weight}`));
  });
});
