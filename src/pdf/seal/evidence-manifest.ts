import type { Camera } from '../../api/inspections.js';
import { isoTime } from '../../common/iso-time.js';
import type { FactKind, FactWords } from '../../inspection/facts/fact.js';
import type { PrintStep } from '../../inspection/pictures/picture.js';
import type {
  CorrectionInput,
  FactInput,
  PhotographInput,
  ReportInput,
} from '../../inspection/report/report-input.js';
import type { DraftState, Evidence, PrintedPhotograph } from '../templates/template.js';
import { type ManifestRemark, manifestRemarks, withdrawnManifestRemarks } from './manifest-remarks.js';
import { isTextSigned, publicKeyOf, signText } from './seal-line.js';

/** The seal's entry of one photograph: its place, its times, and the hashes of its bytes. */
export interface ManifestPhotograph {
  readonly id: string;
  readonly number: number;
  /** In a comparison: the report of the photograph and its number. */
  readonly source?: { readonly side: string; readonly reportId: string };
  /** The page of the report; 0 until the report is drawn. */
  readonly page: number;
  readonly area: string;
  /** Its own name within the area, under which it is printed. */
  readonly filedUnder?: string;
  readonly stamp: string;
  readonly capturedAt: string;
  readonly capturedAtSource: 'captureTs' | 'server';
  readonly receivedAt: string;
  /** The camera that the picture names, unchecked; absent if it names none. */
  readonly camera?: Camera;
  /** Set if data of the picture is missing or corrupt, so that its print shows only a part. */
  readonly partlyRead?: true;
  readonly original: { readonly sha256: string; readonly bytes: number };
  /** Degrees clockwise by which the print was rotated; absent if it was not. */
  readonly turn?: number;
  /** Corrections of it before its claim, oldest first; absent if there were none. */
  readonly corrections?: readonly CorrectionInput[];
  /** The picture as embedded, byte for byte; null for a placeholder. */
  readonly embedded: {
    readonly sha256: string;
    /** The size of a smaller copy, made for `maxBytes`: the most pixels of its long side, and its JPEG quality. */
    readonly reducedTo?: PrintStep;
  } | null;
}

/** The seal's entry of an observation, a reading, keys or an alarm. */
interface ManifestFact {
  readonly id: string;
  /** In a comparison: the report of the fact and of the numbers of its photographs. */
  readonly source?: { readonly reportId: string };
  readonly kind: FactKind;
  readonly area: string;
  /** The words as recorded. */
  readonly fact: FactWords;
  /** Numbers of its photographs in this report. */
  readonly photographs: readonly number[];
  readonly recordedAt: string;
  /** Corrections of it before its claim, oldest first; absent if there were none. */
  readonly corrections?: readonly CorrectionInput[];
  /** Set if it was withdrawn. */
  readonly withdrawnAt?: string;
}

/** The evidence of a report, which is in the PDF and beside it. */
export interface EvidenceManifest {
  readonly format: 'inspection-evidence/1';
  /** A comparison has the ids of both reports and no file name, so that the same two reports give the same file on any day. */
  readonly report: {
    readonly id: string;
    readonly fileName?: string;
    readonly createdAt: string;
    /** Set for a preview, which is no report, with its outstanding areas. */
    readonly draft?: DraftState;
  };
  /** In print order. */
  readonly photographs: readonly ManifestPhotograph[];
  /** In order of arrival; absent if there are none. */
  readonly facts?: readonly ManifestFact[];
  /** Recorded remarks, likewise. */
  readonly remarks?: readonly ManifestRemark[];
  /** Withdrawn photographs of the claim, which are not printed, in order of arrival; absent if there are none. */
  readonly withdrawn?: readonly WithdrawnEvidence[];
  /** Withdrawn facts, likewise. */
  readonly withdrawnFacts?: readonly ManifestFact[];
  /** Withdrawn remarks, likewise. */
  readonly withdrawnRemarks?: readonly ManifestRemark[];
}

/** A photograph that is stored and not printed. */
type WithdrawnEvidence = Pick<
  ManifestPhotograph,
  | 'id'
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

/** Returns the manifest of a report before it is drawn; `reports` are its inputs. */
export function evidenceManifest(
  { report, photographs: printed, withdrawn }: Evidence,
  reports: readonly ReportInput[],
  draft?: DraftState,
): EvidenceManifest {
  const { id, fileName, createdAt } = report;
  const named = fileName === undefined ? {} : { fileName };
  const state = draft === undefined ? {} : { draft };
  const listedFacts = (of: 'facts' | 'withdrawnFacts') =>
    reports.flatMap((each) => factsOf(each, each[of] ?? [], printed, reports.length > 1));
  const [facts, withdrawnFacts] = [listedFacts('facts'), listedFacts('withdrawnFacts')];
  const remarks = reports.flatMap((each) => manifestRemarks(each, reports.length > 1));
  const withdrawnRemarks = reports.flatMap((each) => withdrawnManifestRemarks(each, reports.length > 1));
  return {
    format: 'inspection-evidence/1',
    report: { id, ...named, createdAt: isoTime(createdAt), ...state },
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
    ...(remarks.length === 0 ? {} : { remarks }),
    ...(withdrawnFacts.length === 0 ? {} : { withdrawnFacts }),
    ...(withdrawnRemarks.length === 0 ? {} : { withdrawnRemarks }),
  };
}

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

/** Completes the manifest of a drawn report: the page of each photograph in print order, and the places without a picture. */
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
      id,
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
    return { id, area, ...recorded(found), withdrawnAt: isoTime(found.withdrawnAt ?? found.receivedAt) };
  });
}

/** Returns the members of a photograph that do not depend on its place in a report. */
const recorded = (found: PhotographInput) => ({
  capturedAt: isoTime(found.capturedAt),
  capturedAtSource: found.source,
  receivedAt: isoTime(found.receivedAt),
  ...(found.camera === undefined ? {} : { camera: found.camera }),
  ...(found.partlyRead === undefined ? {} : { partlyRead: found.partlyRead }),
  original: { sha256: found.sha256, bytes: found.bytes },
  ...(found.corrections === undefined ? {} : { corrections: found.corrections }),
});

/** The file beside a report. `signature` is Ed25519 over `JSON.stringify(signed)`; key and signature are base64url. */
interface SealEnvelope {
  signed: { file: { bytes: number; sha256: string }; manifest: EvidenceManifest };
  publicKey: string;
  signature: string;
}

/** Signs the list of evidence together with the hash of its file. */
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

/** Returns the list of evidence in the file beside a report; undefined if its signature does not match. */
export function manifestIn(text: string): EvidenceManifest | undefined {
  try {
    const { signed, publicKey, signature } = JSON.parse(text) as SealEnvelope;
    return isTextSigned(publicKey, JSON.stringify(signed), signature) ? signed.manifest : undefined;
  } catch {
    return undefined;
  }
}
