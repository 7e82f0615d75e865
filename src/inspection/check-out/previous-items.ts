import type { PreviousItem } from '../../api/previous-items.js';
import type { AreaType, ServiceArea } from '../areas/area-type.js';
import { factText } from '../facts/fact-text.js';
import { type InspectionReport, isObservation, type RoomSection } from '../report/inspection-report.js';
import { itemKey, withoutOwn } from '../report/quoted-items.js';

/** An observation of the session: its area and item. */
export interface RecordedItem {
  readonly id: string;
  readonly area: string;
  readonly service?: ServiceArea;
  readonly item: string;
}

/**
 * Returns the items that a report describes, in its order. Each has the observation of the session that describes it, by the
 * names by which `asBefore` quotes it: of several of one name each has one, the earliest first.
 */
export function listPreviousItems(
  { metersAndKeys, rooms, externalAreas }: InspectionReport,
  recorded: readonly RecordedItem[],
): PreviousItem[] {
  const found = new Map<string, string[]>();
  for (const { id, area, item, ...place } of recorded) {
    const key = itemKey({ heading: area, ...place }, item);
    found.set(key, [...(found.get(key) ?? []), id]);
  }
  const itemsOf = (section: RoomSection & { service?: ServiceArea | null }, areaType: AreaType) =>
    section.facts.filter(isObservation).map(({ words, filedUnder }): PreviousItem => {
      const item = String(words.item);
      const text = factText('observation', { ...withoutOwn(words), item }).slice(item.length + 2);
      return {
        ...{ area: filedUnder ?? section.heading, areaType, item },
        ...(text === '' ? {} : { text }),
        factId: found.get(itemKey(section, item))?.shift() ?? null,
      };
    });
  return [
    ...metersAndKeys.flatMap((section) => itemsOf(section, 'service')),
    ...rooms.flatMap((section) => itemsOf(section, 'room')),
    ...(externalAreas?.rooms ?? []).flatMap((section) => itemsOf(section, 'external')),
  ];
}
