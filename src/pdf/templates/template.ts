import { z } from 'zod';
import type { Warning } from '../../common/warnings.js';
import type { ServiceArea } from '../../inspection/areas/area-type.js';
import type { ReportPhotograph } from '../../inspection/report/inspection-report.js';
import type { ReportInput } from '../../inspection/report/report-input.js';
import { NEWEST_LOOK, type ReportLook } from '../../inspection/report/report-look.js';
import type { DocumentDefinition } from './definition.js';

/**
 * A kind of report: the form of its request, its source, its contents, its evidence and its pages. Everything here is pure:
 * the same contents always give the same bytes. A template is one folder here and one line in `pdf/templates.ts`, where the
 * check of requests, claims, drawing, seal, redraw and the API description read it.
 */
export interface Template<Details extends SourceDetails, Report extends Reported> {
  /** `templateId` and `source.type` of the request. Stored with each report, so never changed. */
  readonly id: string;
  /** One sentence on the document and its source, for the API description. */
  readonly about: string;
  /** A complete `source`, for the API description. */
  readonly example?: { readonly name: string; readonly source: object };
  /**
   * Reads `source`; its `type` is `sourceType(id)`. It must accept its own output, which a redraw reads again.
   */
  readonly schema: z.ZodType<Details>;
  source(details: Details): Source;
  build(contents: Contents<Details>): { report: Report; warnings: readonly Warning[] };
  evidence(report: Report): Evidence;
  /** Called for each drawing, because the layout engine writes into the definition. */
  document(report: Report, look: ReportLook): DocumentDefinition;
}

/** The source of a request, before a template's schema reads it. */
export interface SourceDetails {
  readonly type: string;
}

/**
 * The source of a report as data. `pdf/sources` checks access, claims and reads it, so that a template knows neither callers
 * nor the database.
 */
export type Source = PendingPhotographs | EarlierReports;

/** The pending photographs of a session and the remarks recorded so far, which only one report gets. */
export interface PendingPhotographs {
  readonly of: 'session';
  readonly sessionId: string;
  /** Narrows the render to the photographs of one flow. */
  readonly flowId?: string;
  /** Property details as received, unchecked. */
  readonly meta: unknown;
  readonly requireComplete: boolean;
  readonly forceFinish: boolean;
}

/** Finished reports, for callers who may read each of them. Nothing is claimed; stored under the session of the last one. */
export interface EarlierReports {
  readonly of: 'reports';
  readonly reports: readonly EarlierReport[];
}

/** A report by its id, with its path in the request and the template that it must be of. */
export interface EarlierReport {
  readonly path: string;
  /** Absent: the report that `meta.previousReport` of the last one names. */
  readonly id?: string;
  readonly template: string;
}

/** The common part of all reports: a file name, and a cover that may carry a logo. */
export interface Reported {
  readonly fileName: string;
  readonly cover: { readonly logo?: string };
}

/** Everything that a report depends on. */
export interface Contents<Details extends SourceDetails> {
  readonly details: Details;
  /** The render's instant in epoch milliseconds; a redraw has the same. */
  readonly now: number;
  /** The inputs of the source in order: that of the session, or those of the earlier reports. */
  readonly reports: readonly ReportInput[];
  /** Absent: the newest look, with the service's own colour. */
  readonly look?: ReportLook;
  /** Set for a preview. */
  readonly draft?: DraftState;
}

/** The state of an inspection at its preview. */
export interface DraftState {
  readonly outstandingAreas: readonly ServiceArea[];
}

/** The evidence of a report: its photographs in print order. */
export interface Evidence {
  /** Without a file name if that depends on the day of the render. */
  readonly report: { readonly id: string; readonly fileName?: string; readonly createdAt: number };
  readonly photographs: readonly PrintedPhotograph[];
  /** Withdrawn photographs of its claim, with their areas; absent if there are none. */
  readonly withdrawn?: readonly { readonly id: string; readonly area: string }[];
}

/** A printed photograph, with its area. */
export interface PrintedPhotograph {
  readonly photograph: ReportPhotograph;
  readonly area: string;
  /** In a comparison: the report of the photograph and its number. */
  readonly source?: { readonly side: string; readonly reportId: string };
}

/** A report that is ready to be drawn. */
export interface BuiltDocument {
  readonly fileName: string;
  /** Warnings for the caller. */
  readonly warnings: readonly Warning[];
  readonly evidence: Evidence;
  /** The key of the picture on the cover. */
  readonly logo?: string;
  document(options: { readonly withLogo: boolean }): DocumentDefinition;
}

/** A template without the types of its details and its report. */
export interface ListedTemplate {
  readonly id: string;
  readonly about: string;
  readonly example?: { readonly name: string; readonly source: object };
  readonly schema: z.ZodType<SourceDetails>;
  source(details: SourceDetails): Source;
  build(contents: Contents<SourceDetails>): BuiltDocument;
}

export function listed<Details extends SourceDetails, Report extends Reported>(
  template: Template<Details, Report>,
): ListedTemplate {
  const { id, about, example, schema } = template;
  return {
    ...{ id, about, schema },
    ...(example === undefined ? {} : { example }),
    source: (details) => template.source(schema.parse(details)),
    build: ({ details, look = NEWEST_LOOK, ...made }) => {
      const { report, warnings } = template.build({ ...made, look, details: schema.parse(details) });
      const { logo } = report.cover;
      return {
        ...{ fileName: report.fileName, warnings, evidence: template.evidence(report) },
        ...(logo === undefined ? {} : { logo }),
        document: ({ withLogo }) => template.document(withLogo ? report : withoutLogo(report), look),
      };
    },
  };
}

/** Returns the schema of a template's `source.type`. */
export const sourceType = <Id extends string>(id: Id) => z.literal(id, `this template takes "${id}" only`);

function withoutLogo<Report extends Reported>(report: Report): Report {
  const { logo: _, ...cover } = report.cover;
  return { ...report, cover };
}
