import { z } from 'zod';
import type { Warning } from '../../common/warnings.js';
import type { ReportPhotograph } from '../../inspection/report/inspection-report.js';
import type { ReportInput } from '../../inspection/report/report-input.js';
import { NEWEST_LOOK, type ReportLook } from '../../inspection/report/report-look.js';
import type { DocumentDefinition } from './definition.js';

/**
 * A kind of report, whole: what a request may say, what the report is made of, what it says, the evidence behind it and
 * how it stands on pages. Everything here is pure: the same contents give the same bytes, on any day. One folder here
 * and one line in `pdf/templates.ts`; the request's check, claims, drawing, seal, redraw and API documents read it there.
 */
export interface Template<Details extends SourceDetails, Report extends Reported> {
  /** `templateId` and `source.type` of the request. Kept with each report, so never changed. */
  readonly id: string;
  /** One sentence on the document and its source, for the API documents. */
  readonly about: string;
  /** A `source` that works as it stands, for the API documents. */
  readonly example?: { readonly name: string; readonly source: object };
  /**
   * Reads `source`; its `type` is `sourceType(id)`. It must be able to read its own output again: a redraw begins with
   * that.
   */
  readonly schema: z.ZodType<Details>;
  source(details: Details): Source;
  build(contents: Contents<Details>): { report: Report; warnings: readonly Warning[] };
  evidence(report: Report): Evidence;
  /** Called for each drawing again, because the layout engine writes into the definition. */
  document(report: Report, look: ReportLook): DocumentDefinition;
}

/** The source of a request, which a template's schema reads further. */
export interface SourceDetails {
  readonly type: string;
}

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

/** The common part of all reports: a file name, and a cover that may carry a logo. */
export interface Reported {
  readonly fileName: string;
  readonly cover: { readonly logo?: string };
}

/** Everything that decides what a report says. */
export interface Contents<Details extends SourceDetails> {
  readonly details: Details;
  /** The render's instant, epoch milliseconds; a redraw has the same. */
  readonly now: number;
  /** The inputs that the source named, in its order: the session's one, or each of the earlier reports. */
  readonly reports: readonly ReportInput[];
  /** Absent: the newest, with the service's own colour. */
  readonly look?: ReportLook;
}

/** Which report the evidence is of, and its photographs in print order. */
export interface Evidence {
  /** Without a file name where the same contents make the same file under another name on another day. */
  readonly report: { readonly id: string; readonly fileName?: string; readonly createdAt: number };
  readonly photographs: readonly PrintedPhotograph[];
  /** Photographs of its claim that were withdrawn, and their areas; absent where none was. */
  readonly withdrawn?: readonly { readonly id: string; readonly area: string }[];
}

/** A photograph where it is printed. */
export interface PrintedPhotograph {
  readonly photograph: ReportPhotograph;
  readonly area: string;
  /** Where reports stand side by side: the one that the photograph and its number are of. */
  readonly source?: { readonly side: string; readonly reportId: string };
}

/** A report whose words are decided, ready to be drawn. */
export interface BuiltDocument {
  readonly fileName: string;
  /** Warnings for the caller. */
  readonly warnings: readonly Warning[];
  readonly evidence: Evidence;
  /** Key of the picture on the cover. */
  readonly logo?: string;
  document(options: { readonly withLogo: boolean }): DocumentDefinition;
}

/** A template as the service sees any of them: its own details and its report stay inside. */
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

/** `source.type` of a template. */
export const sourceType = <Id extends string>(id: Id) => z.literal(id, `this template takes "${id}" only`);

function withoutLogo<Report extends Reported>(report: Report): Report {
  const { logo: _, ...cover } = report.cover;
  return { ...report, cover };
}
