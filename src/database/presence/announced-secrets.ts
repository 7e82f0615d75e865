import { Injectable, type OnModuleInit } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { AppConfig, ConfigError } from '../../common/app-config.js';
import { Clock } from '../../common/clock.js';
import { Logger } from '../../common/logger.js';
import { differingSecrets, marksOf, type SecretMarks } from '../../common/secrets/secret-marks.js';
import { Secrets } from '../../common/secrets/secrets.js';
import { DatabaseAway } from '../away.js';
import { DatabaseReader } from '../database-reader.js';
import { LateWrites } from '../writes/late-writes.js';
import { WriteGate } from '../writes/write-gate.js';
import { ProcessPresence } from './process-presence.js';
import { ProcessEntity } from './process.entity.js';

const LOOK_EVERY_MS = 250;
/** Half a minute. */
const MOST_LOOKS = 120;

/** Returns a sentence that says why the secrets do not fit the stored data; undefined when they do. */
type SecretCheck = () => Promise<string | undefined>;

/** A process that announced other secrets. */
interface Rival {
  id: string;
  marks: SecretMarks;
}

/**
 * Announces the marks of this process's secrets and bucket in the database before it serves or recovers anything (contract
 * section 13). A process does not start beside a living one with different marks. One transaction without keys checks and
 * announces, so that of two starts with different secrets one finds the other.
 */
@Injectable()
export class AnnouncedSecrets implements OnModuleInit {
  private readonly marks: SecretMarks;
  private readonly checks: SecretCheck[] = [];
  private refused: (fault: ConfigError) => void = () => undefined;

  constructor(
    private readonly secrets: Secrets,
    private readonly presence: ProcessPresence,
    private readonly gate: WriteGate,
    private readonly reader: DatabaseReader,
    private readonly lateWrites: LateWrites,
    private readonly clock: Clock,
    private readonly logger: Logger,
    config: AppConfig,
  ) {
    this.marks = marksOf(secrets, config.bucket);
  }

  /** Adds a check that runs before the announcement; call it in a constructor. */
  onCheck(check: SecretCheck): void {
    this.checks.push(check);
  }

  /**
   * Sets the listener that ends the process when processes with other secrets have started while it was taken for dead.
   */
  onRefused(listener: (fault: ConfigError) => void): void {
    this.refused = listener;
  }

  /** Throws `ConfigError`, which names each variable that differs. */
  async onModuleInit(): Promise<void> {
    await this.presence.enter();
    const faults: string[] = [];
    for (const check of this.checks) {
      const fault = await check();
      if (fault !== undefined) faults.push(fault);
    }
    if (faults.length > 0) throw new ConfigError(faults);
    await this.announce();
    this.presence.onRenamed(() => void this.announceAgain());
    this.presence.onGone(() => void this.forgetTheGone());
    await this.forgetTheGone();
  }

  private async announce(): Promise<void> {
    const gone = new Set<string>();
    for (;;) {
      const rivals = await this.tryToAnnounce(gone);
      if (rivals.length === 0) return;
      const living: Rival[] = [];
      for (const rival of rivals) {
        if (await this.outlives(rival)) living.push(rival);
        else gone.add(rival.id);
      }
      if (living.length > 0) throw new ConfigError(this.faultsBeside(living));
    }
  }

  /** Announces the secrets of this process unless processes that are not `gone` have announced others; returns those processes. */
  private tryToAnnounce(gone: ReadonlySet<string>): Promise<Rival[]> {
    const secretMarks = JSON.stringify(this.marks);
    const { id } = this.presence;
    return this.gate.write(async (tx) => {
      const processes = tx.repository(ProcessEntity);
      const rows = await processes.find();
      const rivals = rows
        .filter((row) => row.secretMarks !== secretMarks && !gone.has(row.id))
        .map((row) => ({ id: row.id, marks: JSON.parse(row.secretMarks) as SecretMarks }));
      if (rivals.length > 0) return rivals;
      await processes.delete({ id });
      await processes.insert({ id, secretMarks, announcedAt: this.clock.now() });
      return [];
    });
  }

  /** Returns whether a process lives. Waits for a silent one until it has its lock again or is gone. */
  private async outlives({ id }: Rival): Promise<boolean> {
    for (let look = 0; look < MOST_LOOKS; look++) {
      const life = await this.presence.lifeOf(id);
      if (life !== 'silent') return life === 'living';
      await wait(LOOK_EVERY_MS);
    }
    throw new DatabaseAway(undefined);
  }

  private faultsBeside(living: readonly Rival[]): string[] {
    const differing = new Set(living.flatMap(({ marks }) => differingSecrets(this.marks, marks)));
    return [...differing].map(
      (variable) =>
        `${this.secrets.whereIs(variable)}: differs from that of the processes that run on this database. Give this process the same value, or stop all of them before a start with a new one.`,
    );
  }

  /** Announces again after this process was taken for dead; it must end if others have started with other secrets. */
  private announceAgain(): Promise<void> {
    return this.lateWrites.attempt('the announcement of the secrets', () =>
      this.announce().catch((error: unknown) => {
        if (!(error instanceof ConfigError)) throw error;
        this.refused(error);
      }),
    );
  }

  /** Deletes the rows of dead processes; silent ones are checked again when they are gone. */
  private async forgetTheGone(): Promise<void> {
    try {
      for (const { id } of await this.reader.repository(ProcessEntity).find({ select: { id: true } })) {
        if (await this.presence.isGone(id))
          await this.gate.write((tx) => tx.repository(ProcessEntity).delete({ id }));
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'the announcements of dead processes stay until the next start');
    }
  }
}
