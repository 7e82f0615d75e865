import type { Readable } from 'node:stream';
import { ServiceError } from '../common/service-error.js';

/** 500 `stored_file_damaged`: the stored content is missing or not what was recorded. */
export class StoredFileDamaged extends ServiceError {
  constructor(remedy = 'Restore it from a backup.') {
    super(
      'stored_file_damaged',
      `The stored file is damaged or missing: its content is not what was recorded. ${remedy}`,
    );
  }
}

/** A local file with the recorded content. */
export interface SoundFile {
  readonly path: string;
  /** Streams the file, or `start` to `end`, both included. */
  readonly stream: (range?: { start: number; end: number }) => Readable;
}
