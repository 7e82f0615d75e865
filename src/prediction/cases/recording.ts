import type { Json } from '../../flows/engine/json.js';
import type { ChatMessage, Upload } from '../../flows/engine/node-kind.js';
import type { EarlierInput } from '../run/run-inputs.js';
import type { CaseCall } from './case-journal.js';
import type { RecordedRequest } from './request-changes.js';

/** An upload of a case. `part` names the blob of its bytes; absent for an address. */
export type CaseUpload = Pick<Upload, 'type' | 'name' | 'mime' | 'url' | 'messageId'> & {
  part?: number;
  bytes?: number;
};

/** Everything that a case stores of its source, as plain JSON. */
export interface CaseRecording {
  /** The source execution; absent for a case of an input. */
  source?: { executionId: string; chatId: string; sessionId?: string };
  question: string;
  form?: Record<string, Json>;
  vars: [string, Json][];
  startState: [string, Json][];
  overrides: [string, Json][];
  /** Messages that the caller sent. */
  brought: ChatMessage[];
  /** Messages of the chat before the call. */
  remembered: ChatMessage[];
  state?: Record<string, Json>;
  uploads: CaseUpload[];
  before: string | null;
  calls: CaseCall[];
  requests: RecordedRequest[];
}

/** A recording with the bytes of its files, by part. */
export interface RecordedCase {
  recording: CaseRecording;
  files: ReadonlyMap<number, Uint8Array>;
}

/** Part 0 of a stored case is its recording. */
const FIRST_FILE = 1;

/** Returns the input as it is stored with a case. */
export function recordedInput(
  { body, remembered, state, sessionId, uploads }: EarlierInput,
  more: Pick<CaseRecording, 'before' | 'calls' | 'requests'> & { source?: CaseRecording['source'] },
): RecordedCase {
  const files = new Map<number, Uint8Array>();
  const listed = uploads.map(({ bytes, ...upload }, index): CaseUpload => {
    if (bytes === undefined) return upload;
    files.set(FIRST_FILE + index, bytes);
    return { ...upload, part: FIRST_FILE + index, bytes: bytes.length };
  });
  const { source, ...recorded } = more;
  const recording: CaseRecording = {
    ...(source ? { source: { ...source, ...(sessionId === undefined ? {} : { sessionId }) } } : {}),
    question: body.question,
    ...(body.form === undefined ? {} : { form: body.form }),
    vars: [...body.vars],
    startState: [...body.startState],
    overrides: [...body.otherOverrides],
    brought: [...body.history],
    remembered: [...remembered],
    ...(state === undefined ? {} : { state }),
    uploads: listed,
    ...recorded,
  };
  return { recording, files };
}
