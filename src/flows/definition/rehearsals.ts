import { Injectable } from '@nestjs/common';
import type { CaseReport } from '../../api/cases.js';
import type { Flow } from './flow.js';

/** A run whose inspection and reports are deleted at its end. */
export interface RehearsedRun {
  readonly executionId: string;
  readonly flow: Flow;
}

/** The inspection, reports and files of one rehearsed run, apart from those of the service. */
export interface Rehearsal {
  /** Returns the facts of the reports made so far. */
  reports(): Promise<CaseReport[]>;
  /** Waits for work that is under way, then deletes everything. Never rejects: what is left is swept later. */
  remove(): Promise<void>;
}

/** Opens rehearsals. The module of reports, which is above, registers how. */
@Injectable()
export class Rehearsals {
  private opener: ((run: RehearsedRun) => Rehearsal) | undefined;

  register(opener: (run: RehearsedRun) => Rehearsal): void {
    this.opener = opener;
  }

  /** From now on, nodes and tools of this run that record or render use the rehearsal, until it is removed. */
  open(run: RehearsedRun): Rehearsal {
    if (!this.opener) throw new Error('no module has registered rehearsals');
    return this.opener(run);
  }
}
