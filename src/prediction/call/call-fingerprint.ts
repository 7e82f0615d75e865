import { sha256Hex } from '../../common/secrets/constant-time.js';
import { fieldsFingerprint } from '../../executions/calls/idempotency-key.js';
import type { Upload } from '../../flows/engine/node-kind.js';
import type { PredictionBody } from './prediction-body.js';

/**
 * Two calls with one `Idempotency-Key` are the same call when these are equal (contract section 1): the parsed fields and the SHA-256
 * of each file. Not `streaming`: one answer serves both forms.
 */
export const callFingerprint = ({ streaming: _, uploads, ...fields }: PredictionBody): string =>
  fieldsFingerprint({
    ...fields,
    vars: Object.fromEntries(fields.vars),
    startState: Object.fromEntries(fields.startState),
    otherOverrides: Object.fromEntries(fields.otherOverrides),
    uploads: uploads.map(uploadFields),
  });

const uploadFields = ({ type, name, mime, bytes, url }: Upload) => ({
  type,
  name,
  mime,
  content: bytes === undefined ? (url ?? '') : sha256Hex(bytes),
});
