import { ServiceError } from '../../common/service-error.js';
import { ModelError } from '../../flows/models/model-error.js';
import { Unextractable } from '../extract/extracted-text.js';
import { WrongDimension } from './document-rows.js';

/** Why a document could not be made ready: a code that never changes, and a sentence for its owner. */
export interface DocumentFailure {
  readonly code: string;
  readonly message: string;
}

/** Of one whose processes ended, again and again, before they brought it any further. */
export const NEVER_ENDED: DocumentFailure = {
  code: 'internal_error',
  message:
    'The service ended each time that it made the document ready. Save the store (PUT) to try it again, or send it in parts.',
};

/** `internal_error` for whatever is the service's own fault, which the log tells. */
export function documentFailure(error: unknown): DocumentFailure {
  if (error instanceof Unextractable) return error.fault;
  if (error instanceof ModelError) return { code: 'embedding_failed', message: error.message };
  if (error instanceof WrongDimension) return { code: 'wrong_dimension', message: error.message };
  if (error instanceof ServiceError) return { code: error.code, message: error.message };
  return { code: 'internal_error', message: 'The document could not be made ready. The log says why.' };
}
