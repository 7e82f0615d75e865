import type { Change } from '../../api/corrections.js';
import { InvalidRequest } from '../../common/service-error.js';
import type { Tx } from '../../database/tx.js';
import { areaNamed } from '../areas/classify-area.js';
import { knownType } from '../areas/known-type.js';
import type { AreaComments } from '../details/renamed-comments.js';
import { factChangeIn, readFactChange } from '../facts/fact-changes.js';
import type { FactKind } from '../facts/fact.js';
import { photographsNamed } from '../facts/record-facts.js';
import type { SessionAddress } from '../session.js';
import { type AreaMeant, corrected } from './corrected.js';
import { alreadyClaimed } from './refusals.js';
import { type Columns, type SubjectRow, SUBJECTS, subjectsWhere } from './subject.js';

/** A record, the columns that change, and the change as `corrections` lists it. */
export interface PlannedItem {
  readonly subject: SubjectRow;
  /** The columns that change. */
  readonly next: Columns;
  readonly change: Change;
}

/** The change of the session itself: its area names under a rename. */
export interface PlannedPlace {
  readonly next: Columns;
  readonly was: Columns;
  readonly change: Change;
}

/** A correction before it is made, planned in the transaction that makes it. */
export interface Plan {
  readonly items: readonly PlannedItem[];
  readonly place?: PlannedPlace;
  /** The comments of the record under the new name of a renamed area; absent if they do not change. */
  readonly areaComments?: AreaComments;
}

/** Finds the records to correct. Throws if there are none. */
export type Targets = (tx: Tx) => Promise<readonly SubjectRow[]>;

/** Plans the same change for each target. Throws 400 for members that a fact of its kind does not have. */
export async function planChange(
  tx: Tx,
  session: SessionAddress,
  targets: Targets,
  change: Change,
  now: number,
): Promise<Plan> {
  const known = change.area === undefined ? undefined : await knownType(tx, session, change.area);
  const meant: AreaMeant = (name, type) => areaNamed(name, type ?? known);
  const subjects = unclaimed(await targets(tx));
  const items: PlannedItem[] = [];
  for (const subject of subjects) {
    const own =
      subject.kind === 'fact'
        ? await changeOfFact(tx, session, subject, change)
        : withoutFacts(subject, change);
    items.push({ subject, change: own, next: corrected(subject.current, own, meant, now) });
  }
  const { area } = change;
  if (area === undefined) return { items };
  const answers = await answersOf(tx, session, items);
  const moved = { area, ...(change.areaType === undefined ? {} : { areaType: change.areaType }) };
  return {
    items: [
      ...items,
      ...answers.map((subject) => ({
        ...{ subject, change: moved },
        next: corrected(subject.current, moved, meant, now),
      })),
    ],
  };
}

const ANSWERS =
  "session_id = ? AND flow_id = ? AND claim_id IS NULL AND withdrawn_at IS NULL AND kind IN ('reading', 'keys', 'alarm')";

/** Returns the readings, keys and alarms whose photographs are all moved from their area to the new one, now or earlier. */
async function answersOf(
  tx: Tx,
  { flowId, sessionId }: SessionAddress,
  items: readonly PlannedItem[],
): Promise<SubjectRow[]> {
  const moved = items.filter(({ subject, next }) => subject.kind === 'photograph' && 'area_key' in next);
  const [first] = moved;
  if (!first) return [];
  const left = new Map(moved.map(({ subject: { id, current } }) => [id, current.area_key]));
  const [photographs, , facts] = SUBJECTS;
  const found = (await subjectsWhere(tx, facts, ANSWERS, [sessionId, flowId])).flatMap((subject) => {
    if (items.some(({ subject: { id } }) => id === subject.id)) return [];
    const cited = JSON.parse(String(subject.current.photographs)) as string[];
    return cited.some((id) => left.get(id) === subject.current.area_key) ? [{ subject, cited }] : [];
  });
  const answers: SubjectRow[] = [];
  for (const { subject, cited } of found) {
    const others = cited.filter((id) => !left.has(id));
    const there = `id IN (${others.map(() => '?').join(', ')}) AND area_key = ?`;
    const earlier =
      others.length === 0
        ? []
        : await subjectsWhere(tx, photographs, there, [...others, first.next.area_key ?? null]);
    if (earlier.length === others.length) answers.push(subject);
  }
  return answers;
}

/** Throws 400 if a change of a photograph or remark has members of a fact. */
function withoutFacts({ kind }: SubjectRow, change: Change): Change {
  if (Object.keys(factChangeIn(change)).length === 0) return change;
  throw new InvalidRequest([{ path: 'fact', message: `is only for facts, and this is a ${kind}` }]);
}

async function changeOfFact(
  tx: Tx,
  session: SessionAddress,
  { current }: SubjectRow,
  change: Change,
): Promise<Change> {
  const factChange = readFactChange(current.kind as FactKind, factChangeIn(change));
  const { photographs = [] } = factChange;
  const known = await photographsNamed(tx, session, photographs);
  const unknown = photographs.findIndex((id) => !known.has(id));
  if (unknown === -1) return { ...change, ...factChange };
  const message = 'is no photograph of this inspection';
  throw new InvalidRequest([{ path: `photographs[${unknown}]`, message }]);
}

/** Throws 409 if one of them is claimed. */
export function unclaimed(subjects: readonly SubjectRow[]): readonly SubjectRow[] {
  if (subjects.some(({ claimed }) => claimed)) throw alreadyClaimed();
  return subjects;
}
