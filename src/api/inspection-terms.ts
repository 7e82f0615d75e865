/** The fixed words of inspections. Pages read this file too, so it imports nothing. */

/** The sections of a report: Rooms, External Areas, and Meters & Keys. */
export const AREA_TYPES = ['room', 'external', 'service'] as const;

/** Sources of a photograph's instant. */
export const TIME_SOURCES = ['captureTs', 'server'] as const;
export type TimeSource = (typeof TIME_SOURCES)[number];

/** Degrees clockwise by which a photograph is printed turned. */
export const TURNS = [0, 90, 180, 270] as const;
export type QuarterTurn = (typeof TURNS)[number];

export const CONDITIONS = ['new', 'good', 'fair', 'poor', 'damaged'] as const;
export const CLEANLINESS = ['clean', 'dusty', 'dirty'] as const;

/** The members of each kind of fact, in the order in which they are stored. The first is required. */
export const FACT_MEMBERS_OF = {
  observation: ['item', 'condition', 'cleanliness', 'description'],
  reading: ['value', 'unit', 'serial'],
  keys: ['kind', 'count'],
  alarm: ['kind', 'place', 'tested', 'expires'],
} as const;

export const FACT_KINDS = [
  'observation',
  'reading',
  'keys',
  'alarm',
] as const satisfies readonly (keyof typeof FACT_MEMBERS_OF)[];
export type FactMemberName = (typeof FACT_MEMBERS_OF)[keyof typeof FACT_MEMBERS_OF][number];
