import type { Change } from '../../api/corrections.js';
import type { AreaType } from '../areas/area-type.js';
import type { Area } from '../areas/classify-area.js';
import { type FactChange, reverseChange, changedWords } from '../facts/fact-changes.js';
import type { FactKind, FactWords } from '../facts/fact.js';
import type { Columns } from './subject.js';

/** Resolves the area for the name and requested type in a change. */
export type AreaMeant = (name: string, type: AreaType | undefined) => Area;

/** Returns the columns of a record that a change alters, with their new values. */
export function corrected(current: Columns, change: Change, meant: AreaMeant, now: number): Columns {
  const next: Record<string, Columns[string]> = {};
  if (change.area !== undefined || change.areaType !== undefined)
    Object.assign(next, areaColumns(meant(change.area ?? String(current.area_name), change.areaType)));
  if (change.withdrawn === true) next.withdrawn_at = current.withdrawn_at ?? now;
  if (change.withdrawn === false) next.withdrawn_at = null;
  if (change.turn !== undefined) next.turn = (Number(current.turn) + change.turn) % 360;
  if (change.caption !== undefined) next.caption = change.caption;
  if (change.text !== undefined) next.text = change.text;
  if (current.words !== undefined) Object.assign(next, factColumns(current, change));
  return differing(current, next);
}

const factColumns = (current: Columns, factChange: FactChange): Columns => ({
  words: JSON.stringify(changedWords(current.kind as FactKind, read(current.words) as FactWords, factChange)),
  ...(factChange.photographs === undefined ? {} : { photographs: JSON.stringify(factChange.photographs) }),
});

const read = (json: unknown): unknown => JSON.parse(String(json));

/** The columns of an area. */
export const areaColumns = ({ key, name, type, service }: Area): Columns => ({
  area_key: key,
  area_name: name,
  area_type: type,
  service: service ?? null,
});

/** Returns the columns of the record whose value differs in `next`. */
export const differing = (current: Columns, next: Columns): Columns =>
  Object.fromEntries(
    Object.entries(next).filter(
      ([column, value]) => Object.hasOwn(current, column) && current[column] !== value,
    ),
  );

/** Returns the change from the current columns back to the earlier ones. */
export function stepBack(current: Columns, was: Columns): Change {
  const change: Change = { undo: true };
  if ('area_name' in was) change.area = String(was.area_name);
  if ('area_type' in was) change.areaType = was.area_type as AreaType;
  if ('withdrawn_at' in was) change.withdrawn = was.withdrawn_at !== null;
  if ('turn' in was) change.turn = (Number(was.turn) - Number(current.turn) + 360) % 360;
  if ('caption' in was) change.caption = was.caption as string | null;
  if ('text' in was) change.text = String(was.text);
  if (!('words' in was) && !('photographs' in was)) return change;
  const words =
    'words' in was ? reverseChange(read(current.words) as FactWords, read(was.words) as FactWords) : {};
  const ids = 'photographs' in was ? { photographs: read(was.photographs) as string[] } : {};
  return { ...change, ...words, ...ids };
}
