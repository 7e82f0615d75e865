import { isoTime } from '../../common/clock.js';
import {
  comparedAreas,
  type ComparisonReport,
  photographPairs,
} from '../../inspection/report/comparison-report.js';
import type { InspectionReport, ReportPhotograph } from '../../inspection/report/inspection-report.js';
import type { PhotographInput } from '../../inspection/report/report-input.js';

/** What the seal says of one photograph: where it stands, when it was taken and received, and what its bytes are. */
export interface ManifestPhotograph {
  readonly number: number;
  /** In a comparison: the report that the photograph and its number are of. */
  readonly source?: { readonly side: string; readonly reportId: string };
  /** Page of the report; 0 until it is drawn. */
  readonly page: number;
  readonly area: string;
  readonly stamp: string;
  readonly capturedAt: string;
  readonly capturedAtSource: 'captureTs' | 'server';
  readonly receivedAt: string;
  readonly original: { readonly sha256: string; readonly bytes: number };
  /** The picture as it is embedded, byte for byte; null where a placeholder stands. */
  readonly embedded: { readonly sha256: string } | null;
}

/** The evidence behind a report, as it lies inside of the PDF and beside it. */
export interface EvidenceManifest {
  readonly format: 'inspection-evidence/1';
  /** A comparison has the ids of both reports, and no file name: the same two reports make the same file on any day. */
  readonly report: { readonly id: string; readonly fileName?: string; readonly createdAt: string };
  /** In print order. */
  readonly photographs: readonly ManifestPhotograph[];
}

export const MANIFEST_NAME = 'evidence.json';

/** A photograph where it is printed. */
interface PrintedPhotograph {
  readonly photograph: ReportPhotograph;
  readonly area: string;
  readonly source?: ManifestPhotograph['source'];
}

/** The manifest of an inspection report that is still to be drawn. */
export function evidenceManifest(
  report: InspectionReport,
  photographs: readonly PhotographInput[],
): EvidenceManifest {
  const { reportId: id, fileName, createdAt, metersAndKeys, rooms, externalAreas } = report;
  const sections = [...metersAndKeys, ...rooms, ...(externalAreas?.rooms ?? [])];
  const printed = sections.flatMap((section) =>
    section.photographs.map((photograph) => ({ photograph, area: section.heading })),
  );
  return {
    format: 'inspection-evidence/1',
    report: { id, fileName, createdAt: isoTime(createdAt) },
    photographs: listed(printed, photographs),
  };
}

/** The manifest of a comparison: the photographs of both reports as they stand row by row. */
export function comparisonManifest(
  report: ComparisonReport,
  photographs: readonly PhotographInput[],
): EvidenceManifest {
  const { before, after } = report.sides;
  const [earlier, later] = [before, after].map(({ name, reportId }) => ({ side: name.label, reportId }));
  const printed = comparedAreas(report).flatMap((area) =>
    photographPairs(area).flatMap((pair): PrintedPhotograph[] => [
      ...(pair.before ? [{ photograph: pair.before, area: area.heading, source: earlier! }] : []),
      ...(pair.after ? [{ photograph: pair.after, area: area.heading, source: later! }] : []),
    ]),
  );
  return {
    format: 'inspection-evidence/1',
    report: { id: report.reportId, createdAt: isoTime(report.createdAt) },
    photographs: listed(printed, photographs),
  };
}

/** The manifest of the report as it was drawn: the page of each photograph in print order, and the places in it whose picture is missing. */
export function asDrawn(
  manifest: EvidenceManifest,
  pages: readonly number[],
  missing: readonly number[],
): EvidenceManifest {
  const absent = new Set(missing);
  const photographs = manifest.photographs.map((photograph, place) => ({
    ...photograph,
    page: pages[place] ?? 0,
    embedded: absent.has(place + 1) ? null : photograph.embedded,
  }));
  return { ...manifest, photographs };
}

function listed(
  printed: readonly PrintedPhotograph[],
  photographs: readonly PhotographInput[],
): ManifestPhotograph[] {
  const known = new Map(photographs.map((photograph) => [photograph.id, photograph]));
  return printed.map(({ photograph: { id, number, stamp }, area, source }) => {
    const found = known.get(id)!;
    const { capturedAt, receivedAt, sha256, bytes, renditionSha256 } = found;
    return {
      number,
      ...(source === undefined ? {} : { source }),
      page: 0,
      area,
      stamp,
      capturedAt: isoTime(capturedAt),
      capturedAtSource: found.source,
      receivedAt: isoTime(receivedAt),
      original: { sha256, bytes },
      embedded: renditionSha256 === null ? null : { sha256: renditionSha256 },
    };
  });
}
