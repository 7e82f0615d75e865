import type { CaptureAnswer } from '../../api/inspections.js';
import type { Warning } from '../../common/warnings.js';
import type { StoredBlob } from '../../storage/blob-store.js';
import type { AreaType } from '../areas/area-type.js';
import type { DetailsChange } from '../details/read-details.js';
import type { SentFact } from '../facts/fact.js';

/** The reason that one photograph of a batch was not recorded (contract section 5). */
export type Rejection = CaptureAnswer['rejected'][number];

/** The source of the bytes of a sent photograph. */
export type PhotographContent =
  | { kind: 'base64'; data: string }
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'url'; url: string }
  /** A file of a multipart body, already in storage, and its name, which is no part of the call's fingerprint. */
  | { kind: 'stored'; blob: StoredBlob; name: string }
  /** An unusable item, with the reason for `rejected[]`. */
  | { kind: 'fault'; code: string; message: string };

/** One photograph of a batch as it was sent. `captureTs` is unchecked. */
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
  /** Observations, readings, keys and alarms; absent if the call sent none, valid or not. */
  facts?: readonly SentFact[];
  /** Areas reported absent so far, as in the report's `meta`: the answer does not list them as outstanding. */
  skippedAreas?: string;
  /** Members to replace in the record of the inspection. */
  details?: DetailsChange;
  /** The caller for fair scheduling of decoding: the checked key, else the address, if known. */
  who?: string;
  /** Warnings that were found while the body was read. */
  warnings?: readonly Warning[];
  signal?: AbortSignal;
  /** Returns an answer with `rejected` instead of 422 if nothing is usable. */
  neverRefuse?: boolean;
}

export type RecordedPhotograph = CaptureAnswer['recorded'][number];

/** The remark of a call, by the name of the area that it was filed under. */
export type RecordedRemark = NonNullable<CaptureAnswer['remark']>;

export type DuplicatePhotograph = CaptureAnswer['duplicates'][number];
