import { type Draft, REPORT_TYPES } from '../draft.js';

const TITLES = {
  checkin: 'Check-In Inspection Report',
  checkout: 'Check-Out Inspection Report',
  interim: 'Interim Inspection Report',
  '': 'Property Inspection Report',
};

/** Returns the title that the report prints. */
export const coverTitle = ({ reportType }: Pick<Draft, 'reportType'>): string => TITLES[reportType];

/** Returns the record's type in words if it differs from the form's. A type without its own title is the neutral one. */
export function otherType({ reportType }: Pick<Draft, 'reportType'>, recorded: unknown): string | undefined {
  if (typeof recorded !== 'string' || recorded === '') return undefined;
  const meant = REPORT_TYPES.find((type) => type === recorded) ?? '';
  if (meant === reportType) return undefined;
  return meant === '' ? `“${recorded.slice(0, 80)}”` : coverTitle({ reportType: meant });
}
