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
/** From the cleanest to the dirtiest. */
export const CLEANLINESS = ['professional', 'clean', 'domestic', 'dusty', 'stained', 'dirty'] as const;

/** Who answers for an item at the end of a tenancy, with the words on screen and in print. */
export const RESPONSIBILITIES = {
  tenant: 'Tenant',
  landlord: 'Landlord',
  fair_wear_and_tear: 'Fair wear and tear',
} as const;

/** The work that an item needs, with the words on screen and in print. */
export const ACTIONS = {
  clean: 'Clean',
  repair: 'Repair',
  replace: 'Replace',
  redecorate: 'Redecorate',
  maintain: 'Maintain',
  none: 'No action',
} as const;

/** The members of each kind of fact, in the order in which they are stored. The first is required. */
export const FACT_MEMBERS_OF = {
  observation: [
    ...(['item', 'condition', 'cleanliness', 'description', 'quantity', 'make', 'model'] as const),
    ...(['serial', 'age', 'details', 'asBefore', 'responsibility', 'action', 'note'] as const),
  ],
  reading: ['value', 'unit', 'serial', 'location', 'supplier', 'register'],
  keys: ['kind', 'count', 'returned'],
  alarm: ['kind', 'place', 'tested', 'result', 'expires'],
} as const;

/** Limit on the `details` of one observation. */
export const MOST_ITEM_DETAILS = 6;

export const FACT_KINDS = [
  'observation',
  'reading',
  'keys',
  'alarm',
] as const satisfies readonly (keyof typeof FACT_MEMBERS_OF)[];
export type FactMemberName = (typeof FACT_MEMBERS_OF)[keyof typeof FACT_MEMBERS_OF][number];
