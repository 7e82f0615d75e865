import { isoTime } from '../../common/clock.js';
import type { FactKind, FactWords } from '../../inspection/facts/fact.js';
import type { Camera } from '../../inspection/pictures/camera.js';
import type { PrintStep } from '../../inspection/pictures/picture.js';
import type {
  CorrectionInput,
  FactInput,
  PhotographInput,
  ReportInput,
  WithdrawnRemark,
} from '../../inspection/report/report-input.js';
import type { Evidence, PrintedPhotograph } from '../templates/template.js';
import { publicKeyOf, signText } from './seal-line.js';

/** The seal's entry of one photograph: its place, when it was taken and received, and the hash of its bytes. */
export interface ManifestPhotograph {
  readonly number: number;
  /** In a comparison: the report that the photograph and its number are of. */
  readonly source?: { readonly side: string; readonly reportId: string };
  /** Page of the report; 0 until it is drawn. */
  readonly page: number;
  readonly area: string;
  /** The name of its own within its area, under which it stands there. */
  readonly filedUnder?: string;
  readonly stamp: string;
  readonly capturedAt: string;
  readonly capturedAtSource: 'captureTs' | 'server';
  readonly receivedAt: string;
  /** The word of the picture itself, unchecked; absent where it says nothing. */
  readonly camera?: Camera;
  /** Data of the picture is missing or corrupt: its print shows a part of it. Absent otherwise. */
  readonly partlyRead?: true;
  readonly original: { readonly sha256: string; readonly bytes: number };
  /** Degrees clockwise by which the print was turned; absent where it was not. */
  readonly turn?: number;
  /** The sayings anew about it before its claim, oldest first; absent where there was none. */
  readonly corrections?: readonly CorrectionInput[];
  /** The picture as it is embedded, byte for byte; null where a placeholder stands. */
  readonly embedded: {
    readonly sha256: string;
    /** Of a smaller copy, made so that the file fits into a size: its long side at most, and JPEG quality. */
    readonly reducedTo?: PrintStep;
  } | null;
}

/** The seal's entry of an observation, a reading, keys or an alarm. */
export interface ManifestFact {
  readonly id: string;
  /** In a comparison: the report that it and the numbers of its photographs are of. */
  readonly source?: { readonly reportId: string };
  readonly kind: FactKind;
  readonly area: string;
  /** As it was said. */
  readonly fact: FactWords;
  /** Numbers of its photographs in the report; those of earlier reports are not named. */
  readonly photographs: readonly number[];
  readonly recordedAt: string;
  /** The sayings anew about it before its claim, oldest first; absent where there was none. */
  readonly corrections?: readonly CorrectionInput[];
  /** Of one that was withdrawn. */
  readonly withdrawnAt?: string;
}

/** The evidence behind a report, as it lies inside of the PDF and beside it. */
export interface EvidenceManifest {
  readonly format: 'inspection-evidence/1';
  /** A comparison has the ids of both reports, and no file name: the same two reports make the same file on any day. */
  readonly report: { readonly id: string; readonly fileName?: string; readonly createdAt: string };
  /** In print order. */
  readonly photographs: readonly ManifestPhotograph[];
  /** In order of arrival; absent where nothing was said. */
  readonly facts?: readonly ManifestFact[];
  /** Photographs of the claim that were withdrawn and are not printed, in order of arrival; absent where there is none. */
  readonly withdrawn?: readonly WithdrawnEvidence[];
  /** The same of facts. */
  readonly withdrawnFacts?: readonly ManifestFact[];
  /** The same of remarks. */
  readonly withdrawnRemarks?: readonly ManifestRemark[];
}

/** The seal's entry of a remark that was withdrawn. */
export interface ManifestRemark {
  readonly id: string;
  readonly area: string;
  readonly text: string;
  readonly recordedAt: string;
  readonly withdrawnAt: string;
  readonly corrections?: readonly CorrectionInput[];
}

/** A photograph that is kept and not printed. */
export type WithdrawnEvidence = Pick<
  ManifestPhotograph,
  | 'area'
  | 'capturedAt'
  | 'capturedAtSource'
  | 'receivedAt'
  | 'camera'
  | 'partlyRead'
  | 'original'
  | 'corrections'
> & { readonly withdrawnAt: string };

export const MANIFEST_NAME = 'evidence.json';

/** The manifest of a report that is still to be drawn; `reports` are the inputs that it is made of. */
export function evidenceManifest(
  { report, photographs: printed, withdrawn }: Evidence,
  reports: readonly ReportInput[],
): EvidenceManifest {
  const { id, fileName, createdAt } = report;
  const named = fileName === undefined ? {} : { fileName };
  const listedFacts = (of: 'facts' | 'withdrawnFacts') =>
    reports.flatMap((each) => factsOf(each, each[of] ?? [], printed, reports.length > 1));
  const [facts, withdrawnFacts] = [listedFacts('facts'), listedFacts('withdrawnFacts')];
  const withdrawnRemarks = reports.flatMap((each) => each.withdrawnRemarks ?? []).map(manifestRemark);
  return {
    format: 'inspection-evidence/1',
    report: { id, ...named, createdAt: isoTime(createdAt) },
    photographs: listed(
      printed,
      reports.flatMap((each) => each.photographs),
    ),
    ...(withdrawn === undefined
      ? {}
      : {
          withdrawn: notPrinted(
            withdrawn,
            reports.flatMap((each) => each.withdrawn ?? []),
          ),
        }),
    ...(facts.length === 0 ? {} : { facts }),
    ...(withdrawnFacts.length === 0 ? {} : { withdrawnFacts }),
    ...(withdrawnRemarks.length === 0 ? {} : { withdrawnRemarks }),
  };
}

const manifestRemark = ({ id, areaName, text, corrections, ...at }: WithdrawnRemark): ManifestRemark => ({
  ...{ id, area: areaName, text },
  ...{ recordedAt: isoTime(at.recordedAt), withdrawnAt: isoTime(at.withdrawnAt) },
  ...(corrections === undefined ? {} : { corrections }),
});

function factsOf(
  { reportId }: ReportInput,
  facts: readonly FactInput[],
  printed: readonly PrintedPhotograph[],
  compared: boolean,
): ManifestFact[] {
  if (facts.length === 0) return [];
  const mine = printed.filter(({ source }) => source === undefined || source.reportId === reportId);
  const numbers = new Map(mine.map(({ photograph: { id, number } }) => [id, number]));
  return facts.map(({ id, kind, areaName, fact, photographs, recordedAt, withdrawnAt, corrections }) => ({
    id,
    ...(compared ? { source: { reportId } } : {}),
    kind,
    area: areaName,
    fact,
    photographs: photographs.flatMap((photograph) => numbers.get(photograph) ?? []).sort((a, b) => a - b),
    recordedAt: isoTime(recordedAt),
    ...(withdrawnAt === undefined ? {} : { withdrawnAt: isoTime(withdrawnAt) }),
    ...(corrections === undefined ? {} : { corrections }),
  }));
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
  return printed.map(({ photograph: { id, number, stamp, filedUnder }, area, source }) => {
    const found = known.get(id)!;
    const { turn, renditionSha256, reducedTo } = found;
    return {
      number,
      ...(source === undefined ? {} : { source }),
      page: 0,
      area,
      ...(filedUnder === undefined ? {} : { filedUnder }),
      stamp,
      ...recorded(found),
      ...(turn === undefined ? {} : { turn }),
      embedded:
        renditionSha256 === null
          ? null
          : { sha256: renditionSha256, ...(reducedTo === undefined ? {} : { reducedTo }) },
    };
  });
}

function notPrinted(
  withdrawn: NonNullable<Evidence['withdrawn']>,
  photographs: readonly PhotographInput[],
): WithdrawnEvidence[] {
  const known = new Map(photographs.map((photograph) => [photograph.id, photograph]));
  return withdrawn.map(({ id, area }) => {
    const found = known.get(id)!;
    return { area, ...recorded(found), withdrawnAt: isoTime(found.withdrawnAt ?? found.receivedAt) };
  });
}

/** The facts of a photograph that do not depend on its place in a report. */
const recorded = (found: PhotographInput) => ({
  capturedAt: isoTime(found.capturedAt),
  capturedAtSource: found.source,
  receivedAt: isoTime(found.receivedAt),
  ...(found.camera === undefined ? {} : { camera: found.camera }),
  ...(found.partlyRead === undefined ? {} : { partlyRead: found.partlyRead }),
  original: { sha256: found.sha256, bytes: found.bytes },
  ...(found.corrections === undefined ? {} : { corrections: found.corrections }),
});

/** The file beside a report. `signature` is Ed25519 over `JSON.stringify(signed)`; keys and signatures are base64url. */
export interface SealEnvelope {
  signed: { file: { bytes: number; sha256: string }; manifest: EvidenceManifest };
  publicKey: string;
  signature: string;
}

/** The list of evidence, signed together with the hash of the file that it describes. */
export function sealEnvelope(
  manifest: EvidenceManifest,
  file: SealEnvelope['signed']['file'],
  privateKey: string,
): SealEnvelope {
  const signed = { file, manifest };
  return {
    signed,
    publicKey: publicKeyOf(privateKey),
    signature: signText(privateKey, JSON.stringify(signed)),
  };
}
