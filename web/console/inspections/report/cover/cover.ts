import { type Draft, REPORT_TYPES } from '../draft.js';

const TITLES = {
  checkin: 'Check-In Inspection Report',
  checkout: 'Check-Out Inspection Report',
  interim: 'Interim Inspection Report',
  '': 'Property Inspection Report',
};

/** The title as the report prints it. */
export const coverTitle = ({ reportType }: Pick<Draft, 'reportType'>): string => TITLES[reportType];

/** The type in the record, in words, where the form says another; any that has no title of its own is the neutral one. */
export function otherType({ reportType }: Pick<Draft, 'reportType'>, recorded: unknown): string | undefined {
  if (typeof recorded !== 'string' || recorded === '') return undefined;
  const meant = REPORT_TYPES.find((type) => type === recorded) ?? '';
  if (meant === reportType) return undefined;
  return meant === '' ? `“${recorded.slice(0, 80)}”` : coverTitle({ reportType: meant });
}
