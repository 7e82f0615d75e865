import type { Readable } from 'node:stream';
import { ServiceError } from '../common/service-error.js';

/** 500 `stored_file_damaged`: what lies in the store is not what was recorded. */
export class StoredFileDamaged extends ServiceError {
  constructor(
    detail = 'The stored file is damaged: its content is not what was recorded. Restore it from a backup.',
  ) {
    super('stored_file_damaged', detail);
  }
}

/** A local file whose content is as recorded. */
export interface SoundFile {
  readonly path: string;
  /** All of it, or from `start` to `end`, both included. */
  readonly stream: (range?: { start: number; end: number }) => Readable;
}
