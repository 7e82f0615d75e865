/** A run of a flow with two approvals, whose process may be killed at a chosen point, from its question to its end. */
import { startDeployment } from './deployment.mjs';
import { answerOf, asking, inARow, later, pointsOf, startDoomed } from './doomed.mjs';
import { photograph, photographCall } from './photograph-call.mjs';
import { query } from './place.mjs';
import { atLeast } from './report.mjs';

/** Concurrent clicks. */
export const CLICKS = 50;
/** The calls of a run that may be interrupted. */
export const MOMENTS = ['question', 'first', 'second'];

const flow = (port) => {
  const asks = asking(port);
  const human = (id) => ({ id, kind: 'human-input', config: { message: `${id}?` } });
  const nodes = [
    { id: 'start', kind: 'start', config: {} },
    { id: 'capture', kind: 'capture', config: { area: 'Hall' } },
    human('order'),
    asks('book', 'POST'),
    asks('note', 'PUT'),
    human('payment'),
    asks('pay', 'POST'),
    { id: 'reply', kind: 'reply', config: { message: 'done' } },
  ];
  // A rejection leads to the same end: only its existence counts.
  const edges = inARow(nodes).map((edge) => (isHuman(edge.from) ? { ...edge, on: '0' } : edge));
  return { id: 'approvals', name: 'approvals', price: 1, nodes, edges };
};
const isHuman = (id) => id === 'order' || id === 'payment';

const question = photographCall('approvals', await photograph('#996655'));

const click = (service, session, stop, type = 'proceed', headers = {}) =>
  service.predict('approvals', { chatId: session, humanInput: { type, startNodeId: stop } }, headers);

const stopIn = (answer) => answer.json.action?.data.nodeId;

/** Counts over all sessions of a database. */
const noCounts = () => ({
  kills: 0,
  slowest: 0,
  lateOther: 0,
  lateUnlike: 0,
  moved: 0,
  crowds: 0,
  decidedTwice: 0,
  toldWrong: 0,
});

export class ApprovalTrial {
  constructor(kind, place, env, target) {
    Object.assign(this, { kind, place, env, target, counts: noCounts(), sessions: new Map() });
  }

  async open() {
    this.doomed = await this.startDoomed();
    const isAlone = this.kind !== 'postgres';
    this.peers = isAlone ? undefined : await startDeployment(this.place, this.env, { count: 2 });
    await this.living.createFlow(flow(this.target.port));
  }

  startDoomed() {
    // The name identifies its connections to PostgreSQL.
    return startDoomed(this.place, { ...this.env, PGAPPNAME: 'doomed' }, [this.target.port]);
  }

  /** The deployment that is called after a kill. */
  get living() {
    return this.peers ?? this.doomed;
  }

  /** Sends to the doomed process, which may die at its point, and then to the living ones until there is an answer. */
  async sendAndAgain(send, point) {
    const first = send(this.doomed, point === undefined ? {} : { 'x-kill-at': point }).catch(() => undefined);
    await Promise.race([this.doomed.ended, first.then(() => later(point === undefined ? 0 : 1_500))]);
    const diedAt = performance.now();
    const died = this.doomed.child.signalCode !== null;
    if (died) {
      this.counts.kills++;
      if (!this.peers) this.doomed = await this.startDoomed();
    } else if (point !== undefined) await pointsOf(this.doomed);
    const answer = died ? await answerOf(() => send(this.living, {})) : await answerOf(() => first);
    if (died) this.counts.slowest = Math.max(this.counts.slowest, performance.now() - diedAt);
    if (died && this.peers) this.doomed = await this.startDoomed();
    return answer;
  }

  /** Counts the points of each moment. */
  async count(proof) {
    const points = {};
    const session = `${this.kind}-count`;
    let stop;
    for (const moment of MOMENTS) {
      const headers = { 'x-kill-at': '0:' };
      const answer =
        moment === 'question'
          ? await question(this.doomed, session, headers)
          : await click(this.doomed, session, stop, 'proceed', headers);
      await later(1_500);
      points[moment] = await pointsOf(this.doomed);
      proof.expect(`${this.kind}: the ${moment} without a kill`, answer.status, 200);
      proof.expect(`${this.kind}: points on its way`, points[moment], atLeast(3));
      stop = stopIn(answer);
      this.sessions.set(session, answer);
    }
    return points;
  }

  /** Makes one run from its question to its end, interrupting one moment at one point. */
  async run(session, moment, point, crowd) {
    const at = (name) => (name === moment ? point : undefined);
    const asked = await this.sendAndAgain((to, headers) => question(to, session, headers), at('question'));
    const order = stopIn(asked);
    if (!order) return this.sessions.set(session, asked);
    const first = (to, headers) => click(to, session, order, 'proceed', headers);
    const second = await this.sendAndAgain(first, at('first'));
    const payment = stopIn(second);
    if (!payment) return this.sessions.set(session, second);
    await this.lateClicks(session, order, second);
    if (crowd) return this.sessions.set(session, await this.crowd(session, payment, order));
    const last = (to, headers) => click(to, session, payment, 'proceed', headers);
    return this.sessions.set(session, await this.sendAndAgain(last, at('second')));
  }

  /** Clicks on the decided approval: it returns the decision, and leaves the waiting one alone. */
  async lateClicks(session, order, second) {
    const [like, unlike] = await Promise.all([
      click(this.living, session, order),
      click(this.doomed, session, order, 'reject'),
    ]);
    if (like.status !== 200 || like.text !== second.text) this.counts.lateOther++;
    const { code, decided } = unlike.json;
    if (unlike.status !== 409 || code !== 'already_decided' || decided.type !== 'proceed')
      this.counts.lateUnlike++;
    const open = await query(
      this.place,
      `SELECT count(*) AS n FROM run_stops WHERE chat_id = '${session}' AND decision IS NULL`,
    );
    if (Number(open[0].n) !== 1) this.counts.moved++;
  }

  /** Sends concurrent clicks of both kinds to all processes, with late ones on the earlier approval among them. */
  async crowd(session, stop, before) {
    this.counts.crowds++;
    const types = Array.from({ length: CLICKS }, (_, index) => (index % 3 ? 'proceed' : 'reject'));
    const late = click(this.living, session, before, 'proceed');
    const answers = await Promise.all(
      types.map((type, index) => click(index % 2 ? this.doomed : this.living, session, stop, type)),
    );
    await late;
    const good = answers.findIndex(({ status }) => status === 200);
    const own = answers.filter(
      ({ status, headers, json }) => status === 200 && headers['x-execution-id'] === json.executionId,
    );
    if (own.length !== 1) this.counts.decidedTwice++;
    for (const [index, { status, json, text }] of answers.entries()) {
      const like = types[index] === types[good];
      const right = like
        ? status === 200 && text === answers[good].text
        : status === 409 && json.code === 'already_decided' && json.decided.type === types[good];
      if (!right) this.counts.toldWrong++;
    }
    return answers[good] ?? answers[0];
  }

  /**
   * Suspends the process while a request of its run is being answered; it loses its connections and counts as dead, and
   * wakes up when another has reported the end. Returns the number of requests that it still sent.
   */
  async wake(session) {
    const order = stopIn(await question(this.doomed, session));
    const stood = new Promise((resolve) => {
      this.target.onAsked = (kind, of) => {
        if (kind === 'book' && of === session) resolve(this.doomed.child.kill('SIGSTOP'));
      };
    });
    const lost = click(this.doomed, session, order).catch(() => undefined);
    await stood;
    await query(
      this.place,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'doomed' AND datname = current_database()`,
    );
    this.sessions.set(session, await answerOf(() => click(this.living, session, order)));
    this.doomed.child.kill('SIGCONT');
    await Promise.race([lost, later(5_000)]);
    await later(2_000);
    return this.target.asked.filter((each) => each.session === session && each.kind !== 'book').length;
  }

  async close() {
    for (const each of [this.doomed, this.peers]) await each?.stop();
  }
}
