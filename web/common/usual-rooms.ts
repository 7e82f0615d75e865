/** Rooms that most properties have, offered in every inspection. */
export const USUAL_ROOMS: readonly string[] = [
  'Hallway',
  'Kitchen',
  'Living Room',
  'Bedroom 1',
  'Bedroom 2',
  'Bathroom',
  'Garden',
];
