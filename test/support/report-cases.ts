import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { wholeHouse } from '../../bench/support/whole-house.mjs';
import { areaNamed } from '../../src/inspection/areas/classify-area.js';
import type { FactKind, FactWords } from '../../src/inspection/facts/fact.js';
import type { PhotographInput, ReportInput } from '../../src/inspection/report/report-input.js';
import type { Contents, SourceDetails } from '../../src/pdf/templates/template.js';

/** The folder of the stored cases, one folder each with `expected.json` and, unless it is made by a script, `input.json`. */
export const CASES = join(__dirname, '../fixtures/reports');
export const caseNames = readdirSync(CASES).sort();

/** Pixel sizes of the pictures in cases. */
const SHAPES: Readonly<Record<string, readonly [width: number, height: number]>> = {
  landscape: [640, 480],
  portrait: [480, 640],
  wide: [640, 360],
  square: [480, 480],
  panorama: [1200, 300],
  tall: [300, 900],
};

/** Photographs of one area, one per shape, a minute apart. The shape `gone` has no file. */
interface CaseShots {
  area: string;
  areaType?: PhotographInput['areaType'];
  shapes: string[];
  /** Number of repetitions. */
  times?: number;
  /** Instant of the first one, ISO 8601; by default a minute after the previous photograph. */
  at?: string;
  caption?: string;
}

/** A fact, with the positions of its photographs among the shots, from 1. */
interface CaseFact {
  kind: FactKind;
  area: string;
  areaType?: PhotographInput['areaType'];
  fact: FactWords;
  photographs?: number[];
}

interface CaseReport {
  reportId: string;
  now: string;
  meta: unknown;
  shots: CaseShots[];
  remarks?: ReportInput['remarks'];
  facts?: CaseFact[];
}

/** A session, or the reports of any template with the `source` of its request. */
type CaseInput = CaseReport | { now: string; details: SourceDetails; reports: CaseReport[] };

/** The case that is the house of the benches. */
export const WHOLE_HOUSE = 'whole-house';

export const readCase = (name: string): Contents<SourceDetails> => {
  if (name === WHOLE_HOUSE) return ofSession(name, wholeHouse(areaNamed));
  const input = JSON.parse(readFileSync(join(CASES, name, 'input.json'), 'utf8')) as CaseInput;
  if (!('details' in input)) return ofSession(name, reportInput(input));
  const { now, details, reports } = input;
  return { details, now: Date.parse(now), reports: reports.map(reportInput) };
};

const ofSession = (sessionId: string, report: ReportInput): Contents<SourceDetails> => ({
  details: { type: 'inspection', ...{ sessionId } },
  now: report.now,
  reports: [report],
});

function reportInput({ reportId, now, meta, shots, remarks = [], facts = [] }: CaseReport): ReportInput {
  const photographs: PhotographInput[] = [];
  let instant = Date.parse(now) - 3_600_000;
  for (const { area, areaType, shapes, times = 1, at, caption } of shots) {
    if (at !== undefined) instant = Date.parse(at);
    const { key, type, service } = areaNamed(area, areaType);
    for (let time = 0; time < times; time++) {
      for (const shape of shapes) {
        const [width, height] = SHAPES[shape] ?? [640, 480];
        photographs.push({
          id: `${reportId}-${photographs.length + 1}`,
          ...{ areaKey: key, areaName: area, areaType: type },
          ...(service === undefined ? {} : { service }),
          ...{
            capturedAt: instant,
            source: 'captureTs',
            receivedAt: instant,
            arrival: photographs.length + 1,
          },
          ...(caption === undefined ? {} : { caption }),
          ...{
            width,
            height,
            rendition: shape,
            renditionSha256: null,
            sha256: '0'.repeat(64),
            bytes: 1,
          },
        });
        instant += 60_000;
      }
    }
  }
  return {
    ...{ reportId, now: Date.parse(now), photographs, remarks, meta },
    facts: facts.map(({ kind, area, areaType, fact, photographs: of = [] }, index) => ({
      ...{ id: `${reportId}-fact-${index + 1}`, kind, areaName: area, fact },
      areaType: areaNamed(area, areaType).type,
      photographs: of.map((place) => `${reportId}-${place}`),
      recordedAt: instant,
    })),
  };
}

/** Makes the pictures in a folder; returns their paths. `gone` has a path but no file. */
export async function casePictures(folder: string): Promise<Map<string, string>> {
  mkdirSync(folder, { recursive: true });
  const pictures = new Map([['gone', join(folder, 'gone.jpg')]]);
  for (const [shape, [width, height]] of Object.entries(SHAPES)) {
    const path = join(folder, `${shape}.jpg`);
    const [sky, wall] = ['#9fb6c4', '#d9cdb8'];
    const band = {
      width,
      height: Math.round(height / 2),
      channels: 3 as const,
      background: wall,
    };
    const input = await sharp({ create: band }).png().toBuffer();
    await sharp({ create: { width, height, channels: 3, background: sky } })
      .composite([{ input, gravity: 'south' }])
      .jpeg()
      .toFile(path);
    pictures.set(shape, path);
  }
  const logo = join(folder, 'logo.jpg');
  const mark = {
    width: 480,
    height: 160,
    channels: 3 as const,
    background: '#174a6b',
  };
  await sharp({ create: mark }).jpeg().toFile(logo);
  return pictures.set('logo', logo);
}
