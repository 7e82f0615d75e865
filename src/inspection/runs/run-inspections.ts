import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { EffectJournal } from '../../executions/calls/effect-journal.js';
import { SessionAccess } from '../access/session-access.js';
import { CaptureService } from '../capture/capture.service.js';
import { captureInRun, type RecordInRun } from '../capture/flow-captures.js';
import { CorrectionService } from '../corrections/correction.service.js';
import { type CorrectInRun, correctInRun } from '../corrections/flow/flow-corrections.js';
import { InspectionDetails } from '../details/inspection-details.js';
import { type SetDetailsInRun, setDetailsInRun } from '../details/set-details.node.js';

/** The services by which flows' runs record inspections, all on one database. */
export interface RecordingServices {
  captures: CaptureService;
  corrections: CorrectionService;
  details: InspectionDetails;
  journal: EffectJournal;
  reader: DatabaseReader;
  access: SessionAccess;
  clock: Clock;
}

/** The effects of flows' runs on inspections. */
export interface InspectionEffects {
  capture: RecordInRun;
  correct: CorrectInRun;
  setDetails: SetDetailsInRun;
}

export const inspectionEffects = ({
  captures,
  corrections,
  details,
  journal,
  reader,
  access,
  clock,
}: RecordingServices): InspectionEffects => ({
  capture: captureInRun(captures, clock, journal, access),
  correct: correctInRun(corrections, reader, journal),
  setDetails: setDetailsInRun(details, journal, access),
});

/** Passes the effects of a rehearsed run to work, and knows that the work is under way. */
type Rehearsed = <Made>(work: (effects: InspectionEffects) => Promise<Made>) => Promise<Made>;

/** Records the inspections of flows' runs: in the service's database, or those of rehearsed runs apart from it. */
@Injectable()
export class RunInspections implements InspectionEffects {
  private readonly own: InspectionEffects;
  private readonly rehearsed = new Map<string, Rehearsed>();

  constructor(
    captures: CaptureService,
    corrections: CorrectionService,
    details: InspectionDetails,
    journal: EffectJournal,
    reader: DatabaseReader,
    access: SessionAccess,
    clock: Clock,
  ) {
    this.own = inspectionEffects({ captures, corrections, details, journal, reader, access, clock });
  }

  /** Uses other effects for the run with this execution id, until the returned function is called. */
  rehearse(executionId: string, rehearsed: Rehearsed): () => void {
    this.rehearsed.set(executionId, rehearsed);
    return () => this.rehearsed.delete(executionId);
  }

  readonly capture: RecordInRun = (bodyOf, around, effects) =>
    this.during(around.run, ({ capture }) => capture(bodyOf, around, effects));

  readonly correct: CorrectInRun = (settings, around, effects) =>
    this.during(around.run, ({ correct }) => correct(settings, around, effects));

  readonly setDetails: SetDetailsInRun = (context) =>
    this.during(context.run, ({ setDetails }) => setDetails(context));

  private during<Made>(
    { executionId }: { executionId: string },
    work: (effects: InspectionEffects) => Promise<Made>,
  ): Promise<Made> {
    const rehearsed = this.rehearsed.get(executionId);
    return rehearsed ? rehearsed(work) : work(this.own);
  }
}
