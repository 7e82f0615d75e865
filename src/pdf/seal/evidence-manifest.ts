import { isoTime } from '../../common/clock.js';
import type { InspectionReport, RoomSection } from '../../inspection/report/inspection-report.js';
import type { PhotographInput } from '../../inspection/report/report-input.js';

/** What the seal says of one photograph: where it stands, when it was taken and received, and what its bytes are. */
export interface ManifestPhotograph {
  readonly number: number;
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
  readonly report: { readonly id: string; readonly fileName: string; readonly createdAt: string };
  readonly photographs: readonly ManifestPhotograph[];
}

export const MANIFEST_NAME = 'evidence.json';

/** The manifest of a report that is still to be drawn. */
export function evidenceManifest(
  report: InspectionReport,
  photographs: readonly PhotographInput[],
): EvidenceManifest {
  const known = new Map(photographs.map((photograph) => [photograph.id, photograph]));
  return {
    format: 'inspection-evidence/1',
    report: { id: report.reportId, fileName: report.fileName, createdAt: isoTime(report.createdAt) },
    photographs: sectionsOf(report).flatMap((section) => inSection(section, known)),
  };
}

/** The manifest of the report as it was drawn: the page of each photograph in print order, and whose picture is missing. */
export function asDrawn(
  manifest: EvidenceManifest,
  pages: readonly number[],
  missing: readonly number[],
): EvidenceManifest {
  const absent = new Set(missing);
  const photographs = manifest.photographs.map((photograph) => ({
    ...photograph,
    page: pages[photograph.number - 1] ?? 0,
    embedded: absent.has(photograph.number) ? null : photograph.embedded,
  }));
  return { ...manifest, photographs };
}

const sectionsOf = ({ metersAndKeys, rooms, externalAreas }: InspectionReport): RoomSection[] => [
  ...metersAndKeys,
  ...rooms,
  ...(externalAreas?.rooms ?? []),
];

function inSection(section: RoomSection, known: ReadonlyMap<string, PhotographInput>): ManifestPhotograph[] {
  return section.photographs.map(({ id, number, stamp }) => {
    const { capturedAt, source, receivedAt, sha256, bytes, renditionSha256 } = known.get(id)!;
    return {
      number,
      page: 0,
      area: section.heading,
      stamp,
      capturedAt: isoTime(capturedAt),
      capturedAtSource: source,
      receivedAt: isoTime(receivedAt),
      original: { sha256, bytes },
      embedded: renditionSha256 === null ? null : { sha256: renditionSha256 },
    };
  });
}
