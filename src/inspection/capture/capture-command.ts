import type { CaptureAnswer } from '../../api/inspections.js';
import type { Warning } from '../../common/warnings.js';
import type { StoredBlob } from '../../storage/blob-store.js';
import type { AreaType } from '../areas/area-type.js';
import type { DetailsChange } from '../details/read-details.js';
import type { SentFact } from '../facts/fact.js';

/** Why a photograph of a batch was not recorded; the others are (contract section 5). */
export type Rejection = CaptureAnswer['rejected'][number];

/** Where the bytes of a sent photograph are. */
export type PhotographContent =
  | { kind: 'base64'; data: string }
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'url'; url: string }
  /** A file of a multipart body, already in storage. */
  | { kind: 'stored'; blob: StoredBlob }
  /** Nothing usable, with the reason for `rejected[]`. */
  | { kind: 'fault'; code: string; message: string };

/** One photograph of a batch as it was sent. `captureTs` is anything at all. */
export interface SentPhotograph {
  content: PhotographContent;
  name?: string;
  caption?: string;
  captureTs?: unknown;
  messageId?: string;
}

/** A batch to record: from the capture route or from a flow's `capture` node. */
export interface CaptureCommand {
  executionId: string;
  flowId: string;
  sessionId: string;
  /** Epoch milliseconds at which the call reached the service. */
  receivedAt: number;
  area?: string;
  areaType?: AreaType;
  captureTs?: unknown;
  remark?: string;
  messageId?: string;
  photographs: readonly SentPhotograph[];
  /** Observations, readings, keys and alarms; absent where the call says none, not even a wrong one. */
  facts?: readonly SentFact[];
  /** Areas reported absent so far, as in the report's `meta`: the answer does not list them as outstanding. */
  skippedAreas?: string;
  /** Members of the inspection's record to be replaced. */
  details?: DetailsChange;
  /**
   * The caller whose turn it is when its pictures are decoded: the checked key, else the address, where they are known.
   */
  who?: string;
  /** Warnings that were found while the body was read. */
  warnings?: readonly Warning[];
  signal?: AbortSignal;
  /** Answer with `rejected` also when nothing at all can be used, instead of 422. */
  neverRefuse?: boolean;
}

export type RecordedPhotograph = CaptureAnswer['recorded'][number];

/** The remark of a call, by the name of the area that it was filed under. */
export type RecordedRemark = NonNullable<CaptureAnswer['remark']>;

export type DuplicatePhotograph = CaptureAnswer['duplicates'][number];
