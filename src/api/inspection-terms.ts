/** The fixed words of inspections. Pages read this file too, so it imports nothing. */

/** The sections of a report: Rooms, External Areas, and Meters & Keys. */
export const AREA_TYPES = ['room', 'external', 'service'] as const;

/** Sources of a photograph's instant. */
export const TIME_SOURCES = ['captureTs', 'server'] as const;
export type TimeSource = (typeof TIME_SOURCES)[number];

/** Degrees clockwise by which a photograph is printed turned. */
export const TURNS = [0, 90, 180, 270] as const;
export type QuarterTurn = (typeof TURNS)[number];

export const FACT_KINDS = ['observation', 'reading', 'keys', 'alarm'] as const;

/** The members of facts of all kinds. */
export const FACT_MEMBER_NAMES = [
  ...(['item', 'condition', 'cleanliness', 'description'] as const),
  ...(['value', 'unit', 'serial'] as const),
  ...(['kind', 'count'] as const),
  ...(['place', 'tested', 'expires'] as const),
] as const;
