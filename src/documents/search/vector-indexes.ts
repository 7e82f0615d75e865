import { Injectable } from '@nestjs/common';
import { DatabaseReader } from '../../database/database-reader.js';
import { SqliteVecIndex } from './sqlite-vec-index.js';
import type { VectorIndex } from './vector-index.js';

/** The index that this process's connections have; without one vectors are compared in a worker. */
@Injectable()
export class VectorIndexes {
  private found: Promise<VectorIndex | undefined> | undefined;

  constructor(private readonly reader: DatabaseReader) {}

  current(): Promise<VectorIndex | undefined> {
    return (this.found ??= this.look());
  }

  private async look(): Promise<VectorIndex | undefined> {
    return (await SqliteVecIndex.isThere(this.reader)) ? new SqliteVecIndex(this.reader) : undefined;
  }
}
