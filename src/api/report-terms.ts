/** The fixed words of reports. Pages read this file too, so it imports nothing. */

/** Arrangements of the photographs that no observation cites: two or three a row. */
export const LAYOUTS = ['standard', 'compact'] as const;
export type ReportLayout = (typeof LAYOUTS)[number];

/** Kinds of rooms, by the head noun of their names. `default` is any other. */
export const ROOM_KINDS = [
  ...(['kitchen', 'bathroom', 'bedroom', 'reception', 'hall', 'stairs', 'utility'] as const),
  ...(['external', 'default'] as const),
] as const;
export type RoomKind = (typeof ROOM_KINDS)[number];

/** Ways in which a property is furnished, with the words on screen and in print. */
export const FURNISHINGS = {
  furnished: 'Furnished',
  part_furnished: 'Part furnished',
  unfurnished: 'Unfurnished',
} as const;
export type Furnishing = keyof typeof FURNISHINGS;
