import { child, type SetText, type StructureElement, type TextStyle } from '../definition.js';
import type { Bookmark } from '../parts.js';
import type { ComparedArea } from './comparison-report.js';

/** The headings of the areas, for links to them. */
export type AreaPlaces = ReadonlyMap<ComparedArea, Bookmark>;

/** Returns the heading of an area as a text that links to it. */
export function areaLink(
  area: ComparedArea,
  places: AreaPlaces,
  { style, element }: { readonly style: TextStyle; readonly element: StructureElement },
): SetText {
  const place = places.get(area);
  const value = area.heading;
  if (place === undefined) return { value, style, element };
  return { value, style, element: child(element, 'Link'), link: { block: place.id } };
}
