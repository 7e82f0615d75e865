import { NotFound } from '../../common/service-error.js';
import type { Tx } from '../../database/tx.js';
import type { AreaType } from '../areas/area-type.js';
import { areaNamed, classifyArea } from '../areas/classify-area.js';
import { knownType } from '../areas/known-type.js';
import { normalizeArea } from '../areas/normalize-area.js';
import { renamedComments } from '../details/renamed-comments.js';
import type { SessionAddress } from '../session.js';
import { areaColumns, differing } from './corrected.js';
import { type Plan, type PlannedPlace, unclaimed } from './plan.js';
import { type Columns, type SubjectRow, SUBJECTS, subjectsWhere } from './subject.js';

/** The names of an area before and after. */
export interface Rename {
  readonly from: string;
  readonly to: string;
}

type IsMeant = (name: string) => boolean;

/**
 * Plans the rename of an area in all unclaimed records of the session, in its current area and in the comments of its
 * details. If the new name is that of an existing area, the two merge. `from` matches the exact label if there is one
 * (`Smoke alarm landing`), else equivalent names. Throws 404 if the session has no such area, 409 if reports have claimed all of it.
 */
export async function planRename(tx: Tx, session: SessionAddress, { from, to }: Rename): Promise<Plan> {
  const [found, place] = [await filedUnder(tx, session, from), await placeOf(tx, session)];
  const names = [...found.map(nameOf), ...[place.current_area, place.last_area].map(textOf)];
  const isMeant = meaning(from, names);
  const subjects = found.filter((subject) => isMeant(nameOf(subject)));
  const pending = subjects.filter(({ claimed }) => !claimed);
  const known = await knownType(tx, session, to);
  const items = pending.map((subject) => ({
    subject,
    next: differing(subject.current, areaColumns(areaNamed(to, known ?? ownType(subject)))),
    change: { area: to },
  }));
  const renamed = placeRenamed(place, isMeant, to);
  if (items.length > 0 || renamed) {
    const { key } = areaNamed(from);
    // Without another record the area ends, and its other names with it.
    const isGone = subjects.length === found.length && areaNamed(to).key !== key;
    const isCommented: IsMeant = (name) => isMeant(name) || (isGone && areaNamed(name).key === key);
    const areaComments = await renamedComments(tx, session, isCommented, to);
    return { items, ...(renamed ? { place: renamed } : {}), ...(areaComments ? { areaComments } : {}) };
  }
  if (subjects.length === 0) throw new NotFound(`An area of this session called "${from.slice(0, 80)}"`);
  return { items: unclaimed(subjects).map((subject) => ({ subject, next: {}, change: {} })) };
}

const nameOf = ({ current }: SubjectRow): string => textOf(current.area_name);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns photographs, remarks and facts of the area, claimed or not. */
async function filedUnder(
  tx: Tx,
  { flowId, sessionId }: SessionAddress,
  name: string,
): Promise<SubjectRow[]> {
  const found: SubjectRow[] = [];
  const where = 'session_id = ? AND flow_id = ? AND area_key IN (?, ?) ORDER BY arrival, id';
  const values = [sessionId, flowId, areaNamed(name).key, normalizeArea(name)];
  for (const subject of SUBJECTS) found.push(...(await subjectsWhere(tx, subject, where, values)));
  return found;
}

function meaning(name: string, labels: readonly string[]): IsMeant {
  const label = normalizeArea(name);
  const isLabel: IsMeant = (other) => other !== '' && normalizeArea(other) === label;
  if (labels.some(isLabel)) return isLabel;
  const { key } = areaNamed(name);
  return (other) => other !== '' && areaNamed(other).key === key;
}

/** Returns the type that a call gave the area, if its name alone gives another; a rename retains it. */
function ownType({ current }: SubjectRow): AreaType | undefined {
  const type = current.area_type as AreaType;
  return classifyArea(String(current.area_name)).type === type ? undefined : type;
}

async function placeOf(tx: Tx, { flowId, sessionId }: SessionAddress): Promise<Columns> {
  const row = await tx.one<Columns>(
    'SELECT current_area, current_area_type, last_area, last_area_type FROM inspection_sessions WHERE flow_id = ? AND session_id = ?',
    [flowId, sessionId],
  );
  return row ?? {};
}

function placeRenamed(place: Columns, isMeant: IsMeant, to: string): PlannedPlace | undefined {
  const areas = ['current_area', 'last_area'].filter((area) => isMeant(textOf(place[area])));
  const columns = areas.filter((area) => place[area] !== to).flatMap((area) => [area, `${area}_type`]);
  if (columns.length === 0) return undefined;
  const was = Object.fromEntries(columns.map((column) => [column, place[column] ?? null]));
  const next = Object.fromEntries(
    columns.map((column) => [column, column.endsWith('_type') ? (place[column] ?? null) : to]),
  );
  return { next, was, change: { area: to } };
}
