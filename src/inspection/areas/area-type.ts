import type { AREA_TYPES } from '../../api/inspection-terms.js';

/** The section of the report that an area prints in. */
export type AreaType = (typeof AREA_TYPES)[number];

/** The five areas that a check-in or check-out report expects, by the names used in `skippedAreas` (description section 2.5). */
export type ServiceArea = 'electricity-meter' | 'gas-meter' | 'water-meter' | 'keys' | 'detectors';

/** The service areas in the order in which they print and are listed as outstanding. */
export const SERVICE_AREAS: readonly ServiceArea[] = [
  'electricity-meter',
  'gas-meter',
  'water-meter',
  'keys',
  'detectors',
];

/** The headings of the service areas in the report. */
export const SERVICE_AREA_TITLES: Readonly<Record<ServiceArea, string>> = {
  'electricity-meter': 'Electricity Meter',
  'gas-meter': 'Gas Meter',
  'water-meter': 'Water Meter',
  keys: 'Keys',
  detectors: 'Detectors',
};

/** The area of photographs that arrive before any area was named. */
export const GENERAL_AREA = 'General';
