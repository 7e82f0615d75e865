import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { areaNamed } from '../src/inspection/areas/classify-area.js';
import type { FactInput, ReportInput } from '../src/inspection/report/report-input.js';
import { PdfRenderer } from '../src/pdf/renderer/pdf-renderer.js';
import { reportJob } from './support/draw-report.js';
import { type PdfContent, readPdf } from './support/read-pdf.js';
import { readStructure, type PdfStructure } from './support/read-structure.js';
import { casePictures } from './support/report-cases.js';
import { NOW, photographs, reportInput } from './support/report-input.js';

const renderer = new PdfRenderer();
const folder = mkdtempSync(join(tmpdir(), 'report-front-'));
let pictures: Map<string, string>;
beforeAll(async () => (pictures = await casePictures(folder)));
afterAll(async () => {
  await renderer.close();
  rmSync(folder, { recursive: true, force: true });
});

async function draw(input: Partial<ReportInput>): Promise<{ pdf: PdfContent; structure: PdfStructure }> {
  const contents = {
    details: { type: 'inspection', sessionId: 'front' },
    now: NOW,
    reports: [reportInput(input)],
  };
  const outputPath = join(folder, 'report.pdf');
  await renderer.render(reportJob({ contents, pictures, outputPath }));
  return { pdf: readPdf(outputPath), structure: readStructure(outputPath) };
}

const shots = (...areas: string[]) =>
  photographs(areas.map((areaName) => ({ areaName, rendition: 'landscape' })));

const fact = (
  areaName: string,
  kind: FactInput['kind'],
  words: FactInput['fact'],
  photographIds: string[] = [],
): FactInput => ({
  ...{ id: randomUUID(), kind, areaName, fact: words, photographs: photographIds, recordedAt: NOW },
  areaType: areaNamed(areaName).type,
});

const CHECK_OUT: Partial<ReportInput> = {
  photographs: shots('Hall', 'Kitchen', 'Kitchen'),
  facts: [
    fact('Hall', 'observation', { item: 'Carpet', cleanliness: 'stained', description: 'By the door.' }),
    fact(
      'Kitchen',
      'observation',
      {
        item: 'Hob',
        condition: 'damaged',
        responsibility: 'tenant',
        action: 'replace',
        note: 'Cracked since check-in.',
      },
      ['photograph-3'],
    ),
    fact('Kitchen', 'observation', { item: 'Oven', cleanliness: 'dirty', condition: 'good' }, [
      'photograph-2',
    ]),
    fact('Gas Meter', 'reading', { value: '0412', unit: 'm³' }),
    fact('Keys', 'keys', { kind: 'Front door', count: 2 }),
    fact('Smoke alarm', 'alarm', { kind: 'Smoke alarm', tested: true }),
  ],
  meta: {
    reportType: 'checkout',
    overview: { decor: 'Magnolia throughout', cleanliness: 'Professional', furnished: 'part_furnished' },
    tenancy: { start: '2025-09-03', end: '2026-10-24' },
    present: ['Jo Tenant', 'A. Clerk'],
    documents: [{ kind: 'Gas safety record', date: '2026-09-01', note: 'Copy' }, { kind: 'EPC' }],
  },
};

describe('a report of a check-out', () => {
  let pdf: PdfContent;
  let structure: PdfStructure;
  beforeAll(async () => ({ pdf, structure } = await draw(CHECK_OUT)));

  it('shows the counts, meters, keys, alarms and gravest points at a glance, with linked small copies', () => {
    expect(pdf.bookmarks.slice(0, 5)).toEqual([
      'Contents',
      'At a glance',
      'About this inspection',
      'Summary',
      'Points to Note',
    ]);
    const glance = pdf.text.slice(pdf.text.indexOf('Areas  '), pdf.text.indexOf('Jo Tenant'));
    expect(glance).toMatch(/Photographs {2}3\nItems described {2}3\nPoints to note {2}3\n/);
    expect(glance).toContain('Gas Meter  0412 m³\nKeys  2 × Front door\n');
    expect(glance).toMatch(/Alarms {2}Smoke alarm, tested/);
    const order = ['Hob', 'Oven', 'Carpet'].map((item) => glance.indexOf(item));
    expect(order).toEqual([...order].sort((one, other) => one - other));
    expect(order[0]).toBeGreaterThan(0);
    const small = structure.all.filter(
      ({ role, kids }) => role === 'Link' && kids.some((kid) => kid.role === 'Figure'),
    );
    expect(small.map(({ annotations }) => annotations)).toEqual([1, 1]);
    expect(small.map(({ kids }) => kids[0]!.alternative)).toEqual([
      'Photograph 3, small',
      'Photograph 2, small',
    ]);
  });

  it('prints the overview, the tenancy, who was present and the documents handed over', () => {
    for (const words of [
      'Magnolia throughout', 'Professional', 'Part furnished', '3 Sep 2025', '24 Oct 2026', 'Jo Tenant', 'A. Clerk',
      'Documents handed over', 'Gas safety record', '1 Sep 2026', 'Copy', 'EPC',
    ]) expect(pdf.text).toContain(words); // prettier-ignore
    expect(pdf.text).not.toMatch(/\bSept\b| 0\d [A-Z][a-z]{2} 20/);
  });

  it('lists points to note by gravity, with their areas as rows that span the table and link to them', () => {
    const start = pdf.text.indexOf('Points to Note\nDamaged');
    expect(start).toBeGreaterThan(0);
    const points = pdf.text.slice(start);
    const order = ['Damaged', 'Poor or dirty', 'Fair, stained or dusty'].map((head) => points.indexOf(head));
    expect(order).toEqual([...order].sort((one, other) => one - other));
    expect(points).toContain('By the door.');
    const groups = structure.all.filter(({ role, attributes }) => role === 'TH' && attributes.ColSpan === 5);
    expect(groups.map(({ text, kids }) => [text, kids[0]!.role, kids[0]!.annotations])).toEqual(
      expect.arrayContaining([
        ['Kitchen', 'Link', 1],
        ['Hall', 'Link', 1],
      ]),
    );
    expect(pdf.text).not.toMatch(/defect/i);
    expect(pdf.text).toContain('2 points to note');
  });

  it('prints the actions in the words of the sender, and defines the words that it uses', () => {
    expect(pdf.bookmarks.slice(-4, -1)).toEqual(['Actions', 'Glossary', 'Declaration']);
    expect(pdf.text).toMatch(/Hob {2}Tenant {2}Replace {2}Cracked since check-in\. {2}3/);
    const glossary = pdf.text.slice(pdf.text.lastIndexOf('Glossary'));
    for (const word of ['Damaged', 'Stained', 'Dirty', 'Good']) expect(glossary).toContain(`${word}  `);
    expect(glossary).not.toContain('Dusty');
  });

  it('prints the day of the summary once, and times alone, in rows that link to their areas', () => {
    const summary = pdf.text.slice(pdf.text.indexOf('Summary\nArea'), pdf.text.indexOf('Points to Note\n'));
    expect(summary.match(/24 Oct 2026/g)).toHaveLength(1);
    expect(summary).toMatch(/Kitchen {2}2 {2}10:01–10:02 BST {2}2 points to note/);
    expect(summary).toMatch(/Hall {2}1 {2}10:00 BST {2}1 point to note/);
  });

  it('does not repeat the kind of an alarm as its name', () => {
    expect(
      pdf.pages
        .flatMap(({ texts }) => texts)
        .filter(({ text, role }) => role === 'P' && text === 'Smoke alarm'),
    ).toEqual([]);
  });
});

describe('a flow’s guidance and disclaimers', () => {
  it('are printed as they are, before the findings', async () => {
    const settings = {
      guidance: 'Read this first.\nThen the rest.',
      disclaimers: 'No <b>valuation</b>.',
      layout: 'standard' as const,
    };
    const { pdf } = await draw({ photographs: shots('Hall'), settings });
    expect(pdf.text).toContain(
      'Guidance\nRead this first.\nThen the rest.\nDisclaimers\nNo <b>valuation</b>.',
    );
    expect(pdf.bookmarks[1]).toBe('About this inspection');
  });
});
