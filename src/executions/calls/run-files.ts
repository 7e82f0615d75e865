import { Injectable } from '@nestjs/common';

/** The run whose files are looked for. */
export interface FiledRun {
  executionId: string;
  flowId: string;
  chatId: string;
}

/** A file of a run's caller, as stored by the module that received it. */
export interface StoredRunFile {
  name: string;
  blobKey: string;
}

type Source = (run: FiledRun) => Promise<readonly StoredRunFile[]>;

/** Finds files of callers that upper modules store with a run, so that the call itself need not be stored with them. */
@Injectable()
export class RunFiles {
  private readonly sources: Source[] = [];

  register(source: Source): void {
    this.sources.push(source);
  }

  /** Returns the stored files in the order of their arrival. */
  async find(run: FiledRun): Promise<StoredRunFile[]> {
    const found = await Promise.all(this.sources.map((source) => source(run)));
    return found.flat();
  }
}
