/**
 * The source of a report, named as data: the service finds out who may use it, claims it and reads it
 * (`pdf/sources`), so that a template knows neither callers nor the database.
 */
export type Source = PendingPhotographs | EarlierReports;

/** The pending photographs of a session and the remarks recorded so far: one report is made of them, and no other. */
export interface PendingPhotographs {
  readonly of: 'session';
  readonly sessionId: string;
  /** Narrows the render to the photographs of one flow. */
  readonly flowId?: string;
  /** Property details as they arrived: anything at all. */
  readonly meta: unknown;
  readonly requireComplete: boolean;
  readonly forceFinish: boolean;
}

/** Finished reports, for whoever may read each of them. Nothing is claimed; kept under the session of the last one. */
export interface EarlierReports {
  readonly of: 'reports';
  readonly reports: readonly EarlierReport[];
}

/** A report by its id; `path` is where the request names it, `template` what it must have been made by. */
export interface EarlierReport {
  readonly path: string;
  readonly id: string;
  readonly template: string;
}
