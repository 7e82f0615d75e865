import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Region } from 'sharp';
import { areaNamed } from '../../src/inspection/areas/classify-area.js';
import type { FactKind, FactWords } from '../../src/inspection/facts/fact.js';
import type { FactInput, ReportInput } from '../../src/inspection/report/report-input.js';
import { photographs } from './report-input.js';
import { samplePhotograph } from './sample-photographs.js';

/**
 * A check-in and a check-out of one flat with five disputes: cleaning of an oven, a burn mark, missing keys, a meter, and
 * mould. Beside them are things that did not change, that one report alone mentions, and names that differ in spelling.
 */
const [CHECK_IN, CHECK_OUT, RENDERED] = [
  Date.UTC(2025, 10, 3, 10),
  Date.UTC(2026, 10, 12, 10),
  Date.UTC(2026, 10, 25, 12),
];

interface Scene {
  readonly sample: string;
  readonly crop?: Region;
  /** SVG over the sample, 1440 by 1080 or upright. */
  readonly over?: string;
}

const OVEN = { left: 560, top: 600, width: 420, height: 315 };
const WORKTOP = { left: 960, top: 520, width: 360, height: 270 };
const CEILING = { left: 900, top: 40, width: 480, height: 360 };
const spots = (x: number, y: number, count: number, spread: number): string =>
  Array.from({ length: count }, (_, index) => {
    const [angle, away] = [index * 2.4, spread * Math.sqrt((index + 1) / count)];
    const [cx, cy] = [x + away * Math.cos(angle), y + 0.5 * away * Math.sin(angle)];
    return `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="${4 + (index % 4)}" fill="#2d3a30" opacity="0.75"/>`;
  }).join('');
const GREASE = `<g fill="#4a3312" opacity="0.8"><ellipse cx="690" cy="780" rx="52" ry="30"/><ellipse cx="735" cy="830" rx="40" ry="22"/><circle cx="660" cy="845" r="14"/></g>`;
const BURN = `<ellipse cx="1085" cy="652" rx="34" ry="11" fill="#140b05"/><ellipse cx="1085" cy="652" rx="50" ry="17" fill="#3a1d0a" opacity="0.5"/>`;
const DISPLAY = `<rect x="350" y="330" width="350" height="120" fill="#b9cba2"/><text x="365" y="432" font-family="monospace" font-size="108" fill="#1c261a">04945</text>`;

const SCENES = {
  'meter-in': { sample: 'electricity-meter' },
  'meter-out': { sample: 'electricity-meter', over: DISPLAY },
  'gas-in': { sample: 'gas-meter' },
  'keys-in': { sample: 'keys' },
  'keys-out': { sample: 'keys', over: '<rect x="470" y="240" width="520" height="640" fill="#6b4a2f"/>' },
  'oven-in': { sample: 'kitchen-1', crop: OVEN },
  'oven-out': { sample: 'kitchen-1', crop: OVEN, over: GREASE },
  'worktop-in': { sample: 'kitchen-1', crop: WORKTOP },
  'worktop-out': { sample: 'kitchen-1', crop: WORKTOP, over: BURN },
  'kitchen-in': { sample: 'kitchen-1' },
  'ceiling-in': { sample: 'bathroom', crop: CEILING, over: spots(1180, 190, 14, 40) },
  'ceiling-out': { sample: 'bathroom', crop: CEILING, over: spots(1140, 210, 160, 170) },
  'bathroom-in': { sample: 'bathroom' },
  'hall-in': { sample: 'hallway' },
  'loft-out': { sample: 'bedroom-1' },
} as const satisfies Readonly<Record<string, Scene>>;

type SceneName = keyof typeof SCENES;

interface Recorded {
  readonly kind: FactKind;
  readonly area: string;
  readonly fact: FactWords;
  readonly shows?: readonly SceneName[];
}

const observed = (area: string, fact: FactWords, ...shows: SceneName[]): Recorded => ({
  ...{ kind: 'observation', area, fact, shows },
});

function side(
  start: number,
  reportId: string,
  shots: readonly (readonly [area: string, scene: SceneName])[],
  { facts, ...rest }: { facts: readonly Recorded[]; meta: object; remarks?: ReportInput['remarks'] },
): ReportInput {
  const shown = photographs(
    shots.map(([areaName, scene], index) => {
      const upright = SCENES[scene].sample === 'electricity-meter' || SCENES[scene].sample === 'hallway';
      return {
        ...{ id: `${reportId}-${scene}`, areaName, rendition: scene, capturedAt: start + index * 60_000 },
        ...(upright ? { width: 600, height: 800 } : { width: 800, height: 600 }),
      };
    }),
  );
  return {
    ...{ remarks: [], ...rest, reportId, now: RENDERED, photographs: shown },
    facts: facts.map(({ kind, area, fact, shows = [] }, index): FactInput => ({
      ...{ id: `${reportId}-${index}`, kind, fact, areaName: area, areaType: areaNamed(area).type },
      photographs: shows.map((scene) => `${reportId}-${scene}`),
      recordedAt: start,
    })),
  };
}

const META = {
  ...{ address: '14 Acacia Avenue, Leeds', propertyNo: '14', postcode: 'LS1 4AP' },
  ...{ company: 'Hartwell Lets', tenant: 'Tomasz Wiśniewski\nMaja Nowak' },
};

/** Both inspections, rendered on one day long after the first. */
export const disputes = (): { before: ReportInput; after: ReportInput } => ({
  before: side(
    CHECK_IN,
    '0199a1f2-7c3e-7b1a-9d55-3f1c2b7a9e40',
    [
      ['Electricity Meter', 'meter-in'],
      ['Gas Meter', 'gas-in'],
      ['Keys', 'keys-in'],
      ['Kitchen', 'kitchen-in'],
      ['Kitchen', 'oven-in'],
      ['Kitchen', 'worktop-in'],
      ['Bathroom', 'bathroom-in'],
      ['Bathroom', 'ceiling-in'],
      ['Hall', 'hall-in'],
    ],
    {
      meta: { ...META, reportType: 'checkin', assessor: 'Helena Fairweather' },
      facts: [
        {
          kind: 'reading',
          area: 'Electricity Meter',
          fact: { value: '04731', unit: 'kWh', serial: 'E10 Z 0048213', location: 'Hall cupboard' },
          shows: ['meter-in'],
        },
        {
          kind: 'reading',
          area: 'Gas Meter',
          fact: { value: '02846.319', unit: 'm³', serial: 'G4 K 0017 5520' },
          shows: ['gas-in'],
        },
        { kind: 'keys', area: 'Keys', fact: { kind: 'Front door, Yale', count: 4 }, shows: ['keys-in'] },
        { kind: 'keys', area: 'Keys', fact: { kind: 'Letter box', count: 1 } },
        { kind: 'keys', area: 'Keys', fact: { kind: 'Entrance fob', count: 1 } },
        { kind: 'alarm', area: 'Detectors', fact: { kind: 'Smoke alarm', place: 'Landing', tested: true } },
        observed('Kitchen', {
          item: 'Walls',
          condition: 'good',
          cleanliness: 'clean',
          description: 'White emulsion.',
        }),
        observed(
          'Kitchen',
          {
            item: 'Floor',
            condition: 'fair',
            cleanliness: 'clean',
            description: 'Tile by the door chipped, 2 cm.',
          },
          'kitchen-in',
        ),
        observed(
          'Kitchen',
          { item: 'Worktop', condition: 'good', cleanliness: 'clean', description: 'Oak, oiled, no marks.' },
          'worktop-in',
        ),
        observed(
          'Kitchen',
          {
            item: 'Oven',
            condition: 'good',
            cleanliness: 'professional',
            make: 'Bosch',
            model: 'HBA5',
            description: 'Cleaned by a contractor on 1 Nov 2025.',
          },
          'oven-in',
        ),
        observed('Kitchen', { item: 'Kettle', condition: 'good', quantity: 1 }),
        observed('Kitchen', { item: 'Bar stools', condition: 'good', quantity: 2 }),
        observed(
          'Bathroom',
          {
            item: 'Ceiling',
            condition: 'fair',
            cleanliness: 'stained',
            description: 'A few spots of mould above the mirror, about 10 cm.',
          },
          'ceiling-in',
        ),
        observed('Bathroom', {
          item: 'Extractor fan',
          condition: 'poor',
          description: 'Does not run when switched on. Reported to the agent.',
        }),
        observed('Bathroom', { item: 'Bath', condition: 'good', cleanliness: 'clean' }, 'bathroom-in'),
        observed('Hall', { item: 'Carpet', condition: 'good', cleanliness: 'clean' }, 'hall-in'),
        observed('Hall', { item: 'Coat hooks', condition: 'good', quantity: 4 }),
        observed('Shed', { item: 'Lawn mower', condition: 'fair' }),
      ],
    },
  ),
  after: side(
    CHECK_OUT,
    '019b8cd0-10aa-7c44-8a01-77d0c95e12f3',
    [
      ['electric meter', 'meter-out'],
      ['Keys', 'keys-out'],
      ['Kitchen', 'worktop-out'],
      ['Kitchen', 'oven-out'],
      ['Bathroom', 'ceiling-out'],
      ['Loft', 'loft-out'],
    ],
    {
      meta: { ...META, reportType: 'checkout', assessor: 'Rowan Oakes' },
      remarks: [
        {
          areaName: 'Kitchen',
          text: 'The tenant was present and says that the oven was cleaned the day before.',
        },
      ],
      facts: [
        {
          kind: 'reading',
          area: 'electric meter',
          fact: { value: '04945', unit: 'kwh', serial: 'E10-Z-0048213' },
          shows: ['meter-out'],
        },
        {
          kind: 'reading',
          area: 'Gas Meter',
          fact: { value: '00012.4', unit: 'm³', serial: 'G4 L 0931 0007' },
        },
        {
          kind: 'keys',
          area: 'Keys',
          fact: { kind: 'Front door (Yale)', count: 4, returned: 2 },
          shows: ['keys-out'],
        },
        { kind: 'keys', area: 'Keys', fact: { kind: 'letter-box', count: 1, returned: 1 } },
        { kind: 'keys', area: 'Keys', fact: { kind: 'Entrance fob', count: 1, returned: 0 } },
        { kind: 'alarm', area: 'Smoke alarm landing', fact: { kind: 'Smoke alarm', tested: true } },
        observed('Kitchen', { item: 'Walls', asBefore: true }),
        observed('Kitchen', { item: 'Floor', condition: 'fair', cleanliness: 'clean', asBefore: true }),
        observed(
          'Kitchen',
          {
            item: 'Worktop',
            condition: 'damaged',
            cleanliness: 'clean',
            description: 'Burn mark right of the hob, 8 cm long, through the oil.',
            responsibility: 'tenant',
            action: 'repair',
            note: 'Sand and oil one length of 2 m.',
          },
          'worktop-out',
        ),
        observed(
          'Kitchen',
          {
            item: 'Oven',
            condition: 'good',
            cleanliness: 'dirty',
            make: 'Bosch',
            model: 'HBA 5',
            description: 'Burnt-on grease on door and floor of the oven.',
            responsibility: 'tenant',
            action: 'clean',
          },
          'oven-out',
        ),
        observed('Kitchen', { item: 'Bar stools', quantity: 0, responsibility: 'tenant', action: 'replace' }),
        observed(
          'Bathroom',
          {
            item: 'Ceiling',
            condition: 'poor',
            cleanliness: 'dirty',
            description: 'Mould over about 60 cm, paint lifting.',
            responsibility: 'landlord',
            action: 'redecorate',
            note: 'The fan did not run at check-in and does not run now.',
          },
          'ceiling-out',
        ),
        observed('Bathroom', {
          item: 'Extractor fan',
          asBefore: true,
          responsibility: 'landlord',
          action: 'repair',
        }),
        observed('Bathroom', { item: 'Bath', condition: 'good', cleanliness: 'clean' }),
        observed('Hall', { item: 'carpet', condition: 'good', cleanliness: 'clean' }),
        observed('Hall', {
          item: 'Shelf',
          condition: 'good',
          description: 'Two brackets, fixed since check-in.',
        }),
      ],
    },
  ),
});

/** Draws the pictures of both inspections into a folder and returns their paths. */
export async function disputePictures(folder: string): Promise<Map<string, string>> {
  mkdirSync(folder, { recursive: true });
  const pictures = new Map<string, string>();
  for (const [name, { sample, crop, over }] of Object.entries<Scene>(SCENES)) {
    const source = samplePhotograph(sample);
    const { width, height, orientation = 1 } = await sharp(source).metadata();
    const [w, h] = orientation > 4 ? [height, width] : [width, height];
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}">${over ?? ''}</svg>`;
    const whole = await sharp(source)
      .rotate()
      .composite([{ input: Buffer.from(svg) }])
      .toBuffer();
    const path = join(folder, `${name}.jpg`);
    const cut = crop ? sharp(whole).extract(crop) : sharp(whole);
    await cut
      .resize({ width: w < h ? 600 : 800 })
      .jpeg({ quality: 80 })
      .toFile(path);
    pictures.set(name, path);
  }
  return pictures;
}
