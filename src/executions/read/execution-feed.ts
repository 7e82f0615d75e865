import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { ExecutionRecord } from '../../api/executions.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { Periodic } from '../../common/periodic.js';
import { DatabaseReader } from '../../database/database-reader.js';
import { firstIdAt } from '../execution-id.js';
import { ExecutionLog } from '../log/execution-log.js';
import { type ExecutionRow, LISTED, viewOf } from './execution-view.js';

export type FeedReader = (record: ExecutionRecord) => void;

const EVERY_MS = 500;
const LOOK_BACK_MS = 10_000;
const MOST_ROWS = 500;
const MOST_KNOWN = 5_000;

/** Finds earlier runs that may still end; running ones first, since there may be many that wait. */
export const OPEN_RUNS = `SELECT id FROM executions WHERE status IN ('running', 'waiting')
  ORDER BY status, id DESC LIMIT ${MOST_ROWS}`;

/**
 * Feeds the live stream: every record of all processes at its beginning and its end. One query twice a second serves
 * all watchers; without watchers the database is not queried.
 */
@Injectable()
export class ExecutionFeed implements OnModuleDestroy {
  private readonly watchers = new Set<FeedReader>();
  /** The last status read, by id; the entry not read for longest is dropped first. */
  private readonly known = new Map<string, string>();
  /** Changed records of this process, queried even if they are older than the polled range. */
  private readonly touched = new Set<string>();
  private readonly polling = new Periodic(
    EVERY_MS,
    () => this.look(),
    (error) => this.logger.warn({ err: error }, 'could not look for new executions'),
  );
  /** True until the first query, whose rows are not sent. */
  private learning = true;
  private learned = Promise.resolve();
  private ended = Promise.resolve();

  constructor(
    private readonly reader: DatabaseReader,
    private readonly clock: Clock,
    private readonly logger: Logger,
    log: ExecutionLog,
  ) {
    log.onChanged((id) => {
      if (this.watchers.size > 0 && this.touched.size < MOST_ROWS) this.touched.add(id);
    });
  }

  /** Sends every change from now on to the watcher. Returns a function that ends this. */
  watch(watcher: FeedReader): () => void {
    this.watchers.add(watcher);
    if (this.watchers.size === 1) this.begin();
    return () => {
      this.watchers.delete(watcher);
      if (this.watchers.size === 0) this.end();
    };
  }

  onModuleDestroy(): void {
    this.end();
  }

  /** Resolves once the existing records are read: no later one can be missed. */
  ready(): Promise<void> {
    return this.learned;
  }

  private begin(): void {
    this.learned = this.learn();
    this.polling.start();
  }

  private end(): void {
    this.ended = this.polling.stop();
    this.touched.clear();
  }

  /** Reads the existing records, after any query of earlier watchers. */
  private async learn(): Promise<void> {
    await this.ended;
    this.known.clear();
    this.learning = true;
    await this.polling.kick();
  }

  private async look(): Promise<void> {
    for (const row of await this.changes()) this.show(row);
    this.learning = false;
    while (this.known.size > MOST_KNOWN) this.known.delete(this.known.keys().next().value!);
  }

  private async changes(): Promise<ExecutionRow[]> {
    const open = await this.openRuns();
    const ids = [...new Set([...this.touched, ...open])];
    this.touched.clear();
    const since = firstIdAt(this.clock.now() - LOOK_BACK_MS);
    const recent = await this.reader.all<ExecutionRow>(
      `SELECT ${LISTED} FROM executions WHERE id >= ? ORDER BY id DESC LIMIT ${MOST_ROWS}`,
      [since],
    );
    const seen = new Set(recent.map((row) => row.id));
    const older = ids.filter((id) => !seen.has(id));
    if (older.length === 0) return recent.reverse();
    const list = older.map(() => '?').join(', ');
    const rows = await this.reader.all<ExecutionRow>(
      `SELECT ${LISTED} FROM executions WHERE id IN (${list}) ORDER BY id`,
      older,
    );
    return [...rows, ...recent.reverse()];
  }

  /** Returns the runs that any process may end, however long ago they began. */
  private async openRuns(): Promise<string[]> {
    if (this.learning) return (await this.reader.all<{ id: string }>(OPEN_RUNS)).map(({ id }) => id);
    const known = (wanted: string) =>
      [...this.known].flatMap(([id, status]) => (status === wanted ? id : []));
    return [...known('waiting'), ...known('running')].slice(-MOST_ROWS);
  }

  private show(row: ExecutionRow): void {
    const last = this.known.get(row.id);
    this.known.delete(row.id);
    this.known.set(row.id, row.status);
    if (last === row.status || this.learning) return;
    const record = viewOf(row);
    for (const watcher of this.watchers) watcher(record);
  }
}
