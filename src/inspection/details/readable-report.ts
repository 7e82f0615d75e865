import type { Warning } from '../../common/warnings.js';
import type { DetailsChange } from './read-details.js';

/** Resolves to true if there is an inspection report of this id that the caller may read. */
export type MayReadReport = (reportId: string) => Promise<boolean>;

/** Drops the report of the check-in from a change, with a warning, if the caller may not read it (contract section 5). */
export async function withReadableReport(
  change: DetailsChange,
  mayRead: MayReadReport,
): Promise<DetailsChange> {
  const { previousReport, ...members } = change.members;
  if (typeof previousReport !== 'string' || (await mayRead(previousReport))) return change;
  return { members, warnings: [...change.warnings, unreadableReport('details.previousReport')] };
}

/** Returns one warning for an unreadable and for a missing report, so that it does not reveal which reports exist. */
export const unreadableReport = (path: string): Warning => ({
  code: 'previous_report_dropped',
  message:
    'There is no report of an inspection with the id in previousReport that you may read; it was dropped.',
  path,
});
