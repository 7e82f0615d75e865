import type { InspectionPlace } from './place.js';

/** Values of a thing's fields. */
export type ThingValues = Readonly<Record<string, string>>;

const nameOf = (id: string): string => `edit:${id}`;

/** Returns what was typed for a thing and not saved. */
export const draftOf = ({ storage }: InspectionPlace, id: string): ThingValues | undefined =>
  storage.get<ThingValues>(nameOf(id));

/** Stores what is typed for a thing until it is saved; undefined removes it. */
export const storeDraft = ({ storage }: InspectionPlace, id: string, values: ThingValues | undefined): void =>
  void storage.set(nameOf(id), values);
