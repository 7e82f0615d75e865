/**
 * Corrections under `prove:kill`: one client renames, moves and withdraws three photographs of an inspection, one
 * correction after another. A correction has no key, so none is retried: an unanswered one may have been applied or
 * not, which its unique reason reveals. At the end the whole history is replayed, and each photograph must match it.
 */
import { createHash, randomUUID } from 'node:crypto';
import { query } from './place.mjs';
import { countBy } from './report.mjs';

const AREAS = ['Kitchen', 'Hallway', 'Bathroom', 'Study'];
/** Corrections per session, well below the limit per minute. */
const A_SESSION = 100;
const BETWEEN_MS = 25;

const pass = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const oneOf = (list) => list[Math.floor(Math.random() * list.length)];
const other = (list, than) => oneOf(list.filter((each) => each !== than));
const unlocked = (json) => (typeof json === 'string' ? JSON.parse(json) : json);

export class CorrectionLoad {
  sessions = [];
  /** Hashes of the photographs, by id. */
  photographs = new Map();
  /** Reason → ids of the photographs that its answer named. */
  acknowledged = new Map();
  /** Reason → the renamed area, for all sent ones, answered or not. */
  sent = new Map();
  untold = 0;
  left = 0;
  /** Photographs of the current session, as returned by the last answers. */
  shown = [];

  constructor(load) {
    this.load = load;
  }

  async correct() {
    if (this.left === 0 && !(await this.begin())) return;
    this.left--;
    const photograph = oneOf(this.shown);
    const made = await oneOf([
      () => this.turn(photograph),
      () => this.move(photograph),
      () => this.rename(photograph),
      () => this.withdraw(),
    ])();
    if (!made) await this.lookAgain();
    await pass(BETWEEN_MS);
  }

  async begin() {
    const sessionId = `corrected-${randomUUID()}`;
    const answer = await this.load.captureIn(sessionId, AREAS[0], 3);
    if (!answer) return false;
    this.sessions.push(sessionId);
    this.left = A_SESSION;
    for (const { id, sha256 } of answer.json.recorded) this.photographs.set(id, sha256);
    this.shown = answer.json.recorded.map(({ id }) => ({ id, area: AREAS[0] }));
    return true;
  }

  turn = ({ id }) => this.say(`photographs/${id}/corrections`, { turn: 90 });
  move = ({ id, area }) => this.say(`photographs/${id}/corrections`, { area: other(AREAS, area) });
  rename = ({ area }) =>
    this.say(`sessions/${this.sessions.at(-1)}/areas/rename`, { from: area, to: other(AREAS, area) });

  /** The first is never withdrawn, so that a report includes them all in the end. */
  withdraw() {
    const { id, withdrawnAt } = oneOf(this.shown.slice(1));
    return this.say(`photographs/${id}/corrections`, { withdrawn: withdrawnAt === undefined });
  }

  /** Returns true if it was answered. */
  async say(path, change) {
    const reason = randomUUID();
    this.sent.set(reason, change.from);
    const answer = await this.load.askOnce('POST', `/api/v1/inspection/${path}`, { ...change, reason });
    if (!answer) return false;
    const now = answer.json.photographs ?? [answer.json];
    this.acknowledged.set(
      reason,
      now.map(({ id }) => id),
    );
    if (!now.every(({ corrections }) => corrections.at(-1)?.reason === reason)) this.untold++;
    this.show(now);
    return true;
  }

  show(now) {
    this.shown = this.shown.map((each) => now.find(({ id }) => id === each.id) ?? each);
  }

  /**
   * Makes a correction that waits for transactions of the dead process in the database; from then on its photographs
   * are up to date.
   */
  async lookAgain() {
    while (!(await this.turn(this.shown[0])));
    for (const { id } of this.shown) {
      let answer;
      while (!answer) answer = await this.load.askOnce('GET', `/api/v1/inspection/photographs/${id}`);
      this.show([answer.json]);
    }
  }
}

/** Compares the history with the sent and acknowledged corrections, and the photographs with the history. */
export async function expectCorrectedOnce(proof, kind, { place, service }, load) {
  const { acknowledged, sent, photographs } = load;
  const items = await query(
    place,
    `SELECT session_id, number, reason, subject_id, corrected_items.kind AS kind, change FROM corrections
     LEFT JOIN corrected_items ON correction_id = corrections.id ORDER BY session_id, number`,
  );
  const trail = items
    .filter((item) => item.kind !== 'session')
    .map((item) => ({ ...item, change: unlocked(item.change) }));
  const counts = countBy(trail, ({ reason, subject_id }) => `${reason} ${subject_id}`);
  const numbers = countBy(
    new Map(items.map((each) => [`${each.session_id} ${each.number}`, each])).values(),
    ({ reason }) => reason,
  );
  const lost = [...acknowledged].filter(([reason, ids]) => ids.some((id) => !counts[`${reason} ${id}`]));
  const twice = [...sent.keys()].filter((reason) => numbers[reason] > 1);
  proof.note(
    `${kind}: ${acknowledged.size} corrections answered of ${sent.size} sent, in ${load.sessions.length} inspections`,
  );
  proof.expect(`${kind}: acknowledged corrections that are not kept`, lost.length, 0);
  proof.expect(`${kind}: corrections whose answer did not tell them`, load.untold, 0);
  proof.expect(`${kind}: corrections kept twice`, twice.length, 0);
  proof.expect(
    `${kind}: corrections and photographs that are half of one`,
    await halves(place, trail, sent),
    0,
  );
  let changed = 0;
  for (const [id, sha256] of photographs) {
    const { bytes } = await service.admin('GET', `/api/v1/inspection/photographs/${id}/original`);
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) changed++;
  }
  proof.expect(`${kind}: originals that a correction changed`, changed, 0);
}

/**
 * Replays the history from the beginning: returns renames that miss part of an area, and photographs that do not match.
 */
async function halves(place, trail, renamed) {
  const rows = await query(
    place,
    `SELECT id, session_id, area_name, turn, withdrawn_at FROM photographs WHERE session_id LIKE 'corrected-%'`,
  );
  const expected = new Map(
    rows.map(({ id, session_id }) => [id, { session_id, area: AREAS[0], turn: 0, withdrawn: false }]),
  );
  let wrong = 0;
  for (const group of inGroups(trail)) {
    const [{ session_id, reason }] = group;
    const from = renamed.get(reason);
    const isMeant = (each) => each.session_id === session_id && each.area === from;
    const meant = from === undefined ? 1 : [...expected.values()].filter(isMeant).length;
    const known = group.filter(({ subject_id }) => expected.has(subject_id));
    if (known.length !== meant || known.length !== group.length) wrong++;
    for (const { subject_id, change } of known) {
      const now = expected.get(subject_id);
      expected.set(subject_id, { ...now, ...change, turn: (now.turn + (change.turn ?? 0)) % 360 });
    }
  }
  for (const { id, area_name, turn, withdrawn_at } of rows) {
    const now = expected.get(id);
    if (now.area !== area_name || now.turn !== Number(turn) || now.withdrawn !== (withdrawn_at !== null))
      wrong++;
  }
  return wrong;
}

/** Groups the items of each correction. */
function inGroups(trail) {
  const groups = new Map();
  for (const item of trail) {
    const name = `${item.session_id} ${item.number}`;
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  return groups.values();
}
