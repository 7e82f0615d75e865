import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PdfRenderer } from '../src/pdf/renderer/pdf-renderer.js';
import { PAGE } from '../src/pdf/templates/look.js';
import { disputePictures, disputes } from './support/disputes.js';
import { CHECK_PAGE, reportJob } from './support/draw-report.js';
import { type PdfContent, readPdf } from './support/read-pdf.js';
import { type PdfStructure, readStructure, type Tagged } from './support/read-structure.js';

const { KEEP_REPORTS } = process.env;
const DAYS = ['Check-in 3 Nov 2025', 'Check-out 12 Nov 2026'];

/** The texts of a table's rows, cell by cell. */
const rowsOf = (table: Tagged): string[][] =>
  table.kids.map(({ kids }) => kids.map(({ text }) => text.replace(/\s+/g, ' ').trim()));

describe('a comparison of two inspections in dispute', () => {
  const renderer = new PdfRenderer();
  const folder = mkdtempSync(join(tmpdir(), 'comparison-disputes-'));
  let pdf: PdfContent;
  let structure: PdfStructure;
  let tables: readonly Tagged[];
  beforeAll(async () => {
    const { before, after } = disputes();
    const details = { type: 'comparison', before: before.reportId, after: after.reportId };
    const outputPath = join(folder, 'disputes.pdf');
    const contents = { details, now: after.now, reports: [before, after] };
    const pictures = await disputePictures(join(folder, 'pictures'));
    const outcome = await renderer.render(reportJob({ contents, pictures, outputPath }));
    expect(outcome).toMatchObject({ warnings: [], undrawn: [] });
    expect(outcome.photographPages).toHaveLength(before.photographs.length + after.photographs.length);
    if (KEEP_REPORTS) copyFileSync(outputPath, join(KEEP_REPORTS, 'disputes.pdf'));
    pdf = readPdf(outputPath);
    structure = readStructure(outputPath);
    tables = structure.all.filter(({ role }) => role === 'Table');
  });
  afterAll(async () => {
    await renderer.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const tableWith = (...heads: string[]): string[][] =>
    rowsOf(tables.find((table) => rowsOf(table)[0]!.join() === heads.join())!);
  const rowFor = (thing: RegExp): string[] =>
    tableWith('Item', 'Check-in, 3 Nov 2025', 'Check-out, 12 Nov 2026').find(([first]) =>
      thing.test(first!),
    )!;

  it('prints the days of the inspections on every page, and the day of the reports on the cover alone', () => {
    for (const [index, { lines }] of pdf.pages.entries()) {
      expect(lines.at(-1)).toContain(DAYS.join(' · '));
      expect([index, lines.join('\n').includes('25 Nov 2026')]).toEqual([index, index === 0]);
    }
    for (const day of ['3 Nov 2025', '12 Nov 2026'])
      expect(pdf.text).toMatch(new RegExp(`Kitchen\nCheck-in  3 Nov 2025  Check-out  12 Nov 2026[^]*${day}`));
  });

  it('decides the cleaning of the oven: both states, whose it is, and what to do', () => {
    expect(rowFor(/Oven/)).toEqual([
      'KitchenOvenProfessional → DirtyResponsibility: TenantAction: Clean',
      expect.stringMatching(
        /Photograph 5 ?3 Nov 2025, 10:04 GMTGoodProfessionalCleaned by a contractor on 1 Nov 2025\.Make Bosch; model HBA5$/,
      ),
      expect.stringMatching(
        /Photograph 4 ?12 Nov 2026, 10:03 GMTGoodDirtyBurnt-on grease on door and floor of the oven\./,
      ),
    ]);
    expect(pdf.text).toContain('The tenant was present and says that the oven was');
  });

  it('decides the burn mark: it was not there before', () => {
    const [item, before, after] = rowFor(/Worktop/) as [string, string, string];
    expect(item).toBe(
      'KitchenWorktopGood → DamagedResponsibility: TenantAction: RepairSand and oil one length of 2 m.',
    );
    expect(before).toContain('Oak, oiled, no marks.');
    expect(after).toContain('Burn mark right of the hob, 8 cm long, through the oil.');
  });

  it('decides the keys: how many were handed over, and how many are missing', () => {
    expect(rowFor(/Yale/)).toEqual([
      'KeysFront door, Yale2 not returned',
      expect.stringContaining('Count 4'),
      expect.stringContaining('2 of 4 returned, 2 not returned'),
    ]);
    expect(rowFor(/fob/)).toEqual(['KeysEntrance fobNot returned', 'Count 1', 'not returned (0 of 1)']);
    expect(pdf.text).toContain('Unchanged: Letter box (Count 1).');
  });

  it('decides the meters: the consumption, and that one meter is another', () => {
    expect(rowFor(/Electricity/)).toEqual([
      'Electricity MeterReadingUsed 214 kWh',
      expect.stringContaining('04731 kWh'),
      expect.stringContaining('04945 kwh'),
    ]);
    expect(rowFor(/Gas/)).toEqual([
      'Gas MeterReadingSerial number G4 K 0017 5520 → G4 L 0931 0007Another meter, no consumption stated',
      expect.stringContaining('02846.319 m³Serial number G4 K 0017 5520'),
      'no photograph00012.4 m³Serial number G4 L 0931 0007',
    ]);
  });

  it('decides the mould: it was there before, smaller, and the fan did not run', () => {
    const [item, before] = rowFor(/Ceiling/) as [string, string];
    expect(item).toContain('Fair → PoorStained → DirtyResponsibility: LandlordAction: Redecorate');
    expect(item).toContain('The fan did not run at check-in and does not run now.');
    expect(before).toContain('A few spots of mould above the mirror, about 10 cm.');
    expect(pdf.text.replaceAll(/\s+/g, ' ')).toContain(
      'Unchanged: Extractor fan (Poor. Does not run when switched on. Reported to the agent. Responsibility: Landlord. Action: Repair); Bath (Good, clean).',
    );
  });

  it('lists the changes alone, the worst first, then what one report alone has, a line for each area', () => {
    const changed = tableWith('Item', 'Check-in, 3 Nov 2025', 'Check-out, 12 Nov 2026').slice(1);
    expect(
      changed.map(([item]) => /Bar stools|fob|Yale|Worktop|Gas|Ceiling|Oven|Electricity/.exec(item!)![0]),
    ).toEqual(['Bar stools', 'fob', 'Yale', 'Worktop', 'Gas', 'Ceiling', 'Oven', 'Electricity']);
    const lists = tables.map(rowsOf).filter(([head]) => head![0] === 'Area' && head!.length < 4);
    expect(lists).toEqual([
      [
        ['Area', 'Items'],
        ['Kitchen', 'Kettle (Good. Quantity 1)'],
        ['Hall', 'Coat hooks (Good. Quantity 4)'],
      ],
      [
        ['Area', 'Items'],
        ['Hall', 'Shelf (Good)'],
      ],
      [
        ['Area', 'Reported'],
        ['Loft', 'Only at check-out: 1 photograph. Not in the check-in.'],
        ['Shed', 'Only at check-in: 1 item. Not in the check-out.'],
      ],
      [
        ['Area', 'Check-in', 'Check-out'],
        ['Gas Meter', 'Photograph 2', 'none'],
        ['Kitchen', 'Photograph 4', 'none'],
        ['Bathroom', 'Photograph 7', 'none'],
        ['Hall', 'Photograph 9', 'none'],
      ],
    ]);
    expect(pdf.bookmarks.slice(0, 7)).toEqual([
      'Changed',
      'Only at check-in, not mentioned at check-out',
      'Only at check-out',
      'Areas of one report alone',
      'Photographs without counterpart',
      'Contents',
      'Summary',
    ]);
  });

  it('has the two photographs of a change side by side', () => {
    const contents = pdf.pages.findIndex(({ lines }) => lines.includes('Contents'));
    const rows = pdf.pages.slice(1, contents).flatMap(({ content }) => {
      const copies = [...content.matchAll(/q 1 0 0 1 ([\d.]+) ([\d.]+) cm q [^\n]* Do Q Q/g)];
      const heights = [...new Set(copies.map(([, , y]) => y))];
      return heights.map((height) =>
        copies.filter(([, , y]) => y === height).map(([, x]) => Number(x) > PAGE.width / 2),
      );
    });
    expect(rows.filter((row) => row.length === 2)).toEqual(Array.from({ length: 5 }, () => [false, true]));
    expect(rows.filter((row) => row.length !== 2)).toEqual([[false]]);
  });

  it('states in each area what changed, and never leaves a cell empty or with a dash', () => {
    const areas = tables.map(rowsOf).filter(([head]) => head!.at(-1) === 'Changed');
    expect(areas.map(([head]) => head)).toEqual(
      areas.map(() => ['Item', 'Check-in', 'Check-out', 'Changed']),
    );
    for (const row of tables.flatMap((table) => rowsOf(table).slice(1)))
      for (const cell of row.slice(0, 3))
        expect([row, cell]).not.toEqual([row, expect.stringMatching(/^[—–-]?$/)]);
    const kitchen = areas.find((rows) => rows.some(([item]) => item === 'Kettle'))!;
    expect(kitchen.slice(3)).toEqual([
      ['Kettle', 'GoodQuantity 1', 'not mentioned', 'Only at check-in'],
      ['Bar stools', 'GoodQuantity 2', 'not there', 'Not thereResponsibility: TenantAction: Replace'],
    ]);
    expect(pdf.text.replaceAll(/\s+/g, ' ')).toContain(
      'Unchanged: Walls (Good, clean. White emulsion.); Floor (Fair, clean. Tile by the door chipped, 2 cm.).',
    );
    expect(pdf.text).toContain('Unchanged: Smoke alarm (Landing, tested: Yes).');
  });

  it('heads each row by its thing for readers of tags', () => {
    for (const table of tables.slice(1))
      for (const { kids } of table.kids.slice(1))
        expect([kids[0]!.role, kids[0]!.attributes.Scope]).toEqual(['TH', 'Row']);
  });

  it('links each number of a photograph to it, and each area of a list to its heading', () => {
    const { dictionaries } = pdf;
    const targets = new Set(
      [...dictionaries.matchAll(/\(([abs]\d+)\) \[\d+ 0 R \/XYZ/g)].map(([, id]) => id),
    );
    const links = [...dictionaries.matchAll(/\/Dest \(([abs]\d+)\)/g)].map(([, id]) => id!);
    for (let number = 1; number <= 9; number++) expect(targets).toContain(`b${number}`);
    for (let number = 1; number <= 6; number++) expect(targets).toContain(`a${number}`);
    expect(links.filter((id) => !targets.has(id))).toEqual([]);
    for (const id of ['b2', 'b4', 'b7', 'b9', 'a3', 'a4']) expect(links).toContain(id);
  });

  it('ends with one sheet for the comments and signatures of the parties', () => {
    const page = pdf.pages.at(-2)!;
    expect(page.lines).toEqual(expect.arrayContaining(['Comments and signatures', "Tenant's comments"]));
    const names = ['Rowan Oakes', 'Tomasz Wiśniewski', 'Maja Nowak', 'Hartwell Lets'];
    expect(page.lines.filter((line) => names.includes(line))).toEqual(names);
    expect(pdf.pages.at(-1)!.lines).toContain(CHECK_PAGE);
    expect(pdf.text).not.toMatch(/Landlord\/agent|What Differs/);
  });
});
