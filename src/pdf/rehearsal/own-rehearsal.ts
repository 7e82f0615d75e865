import type { CaseReport } from '../../api/cases.js';
import type { Logger } from '../../common/logger.js';
import type { Rehearsal } from '../../flows/definition/rehearsals.js';
import type { RehearsalServices } from './rehearsal-services.js';

/** A rehearsal whose database and folder exist. */
export interface OpenRehearsal {
  services: RehearsalServices;
  /** Closes the database and deletes the folder. */
  remove(): Promise<void>;
}

interface OwnRehearsalParts {
  /** Makes the database and folder, and deletes them if it fails. */
  make(): Promise<OpenRehearsal>;
  removed(): void;
  logger: Logger;
}

/** Time for work of an aborted run to end before its files are deleted. */
const PATIENCE_MS = 30_000;

/** One rehearsal. What it needs is made with the first work. */
export class OwnRehearsal implements Rehearsal {
  private opened: Promise<OpenRehearsal> | undefined;
  private readonly underWay = new Set<Promise<unknown>>();

  constructor(private readonly parts: OwnRehearsalParts) {}

  /** Runs work on the services of the rehearsal; `remove` waits for it. */
  async during<Made>(work: (services: RehearsalServices) => Promise<Made>): Promise<Made> {
    this.opened ??= this.make();
    const done = this.opened.then(({ services }) => work(services));
    this.underWay.add(done);
    try {
      return await done;
    } finally {
      this.underWay.delete(done);
    }
  }

  async reports(): Promise<CaseReport[]> {
    if (!this.opened) return [];
    const { vault, outbox } = (await this.opened).services;
    const reports = (await vault.latest()).toReversed();
    const mails = await outbox.findDeliveries(reports.map(({ id }) => id));
    return reports.map(({ id, filename, pages, bytes, photographs, warnings }) => ({
      ...{ filename, pages, bytes, photographs, warnings, mailed: mails.has(id) },
    }));
  }

  async remove(): Promise<void> {
    try {
      await this.ended();
      await (await this.opened)?.remove();
    } catch (error) {
      this.parts.logger.error({ err: error }, 'a live case was not deleted whole; it is swept later');
    } finally {
      this.parts.removed();
    }
  }

  private async make(): Promise<OpenRehearsal> {
    try {
      return await this.parts.make();
    } catch (error) {
      this.opened = undefined;
      throw error;
    }
  }

  private async ended(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, PATIENCE_MS)));
    await Promise.race([Promise.allSettled(this.underWay), late]);
    clearTimeout(timer);
  }
}
