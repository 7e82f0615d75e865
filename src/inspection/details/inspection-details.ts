import { Injectable } from '@nestjs/common';
import type { InspectionDetailsView } from '../../api/inspections.js';
import { Clock } from '../../common/clock.js';
import { isoTime } from '../../common/iso-time.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { WriteGate } from '../../database/writes/write-gate.js';
import type { WriteHooks } from '../../database/writes/write-hooks.js';
import { sessionKey } from '../../database/writes/write-keys.js';
import { type SessionAddress, SessionChanges } from '../session.js';
import type { DetailsPlace } from './detail-changes.js';
import { changeDetails, readDetails, type StoredDetails } from './details-rows.js';
import type { DetailsChange } from './read-details.js';

/**
 * The record of an inspection (contract section 5): details that chat, console and API set before and during it. A render
 * fills members that its `meta` leaves out from the record.
 */
@Injectable()
export class InspectionDetails {
  constructor(
    private readonly reader: DatabaseReader,
    private readonly gate: WriteGate,
    private readonly clock: Clock,
    private readonly changes: SessionChanges,
  ) {}

  async read(place: SessionAddress): Promise<InspectionDetailsView> {
    return answerOf(place, await readDetails(this.reader, place));
  }

  /** Replaces the members named. Throws `DetailsTooLarge`. */
  async change(
    place: DetailsPlace,
    change: DetailsChange,
    hooks: WriteHooks<InspectionDetailsView> = {},
  ): Promise<InspectionDetailsView> {
    const touched = [sessionKey(place.sessionId), ...(hooks.touches ?? [])];
    const answer = await this.gate.write(async (tx) => {
      await hooks.opening?.(tx);
      const stored = await changeDetails(tx, place, change, this.clock.now());
      const made = { ...answerOf(place, stored), warnings: [...change.warnings] };
      await hooks.closing?.(tx, made);
      return made;
    }, touched);
    this.changes.announce(place);
    return answer;
  }
}

const answerOf = (
  { flowId, sessionId }: SessionAddress,
  { details, updatedAt }: StoredDetails,
): InspectionDetailsView => ({
  sessionId,
  flowId,
  details,
  updatedAt: updatedAt === null ? null : isoTime(updatedAt),
});
