import { isoTime } from '../../common/iso-time.js';
import type { CorrectionInput, ReportInput, WithdrawnRemark } from '../../inspection/report/report-input.js';

/** The seal's entry of a remark. */
export interface ManifestRemark {
  readonly id: string;
  /** In a comparison: the report of the remark. */
  readonly source?: { readonly reportId: string };
  readonly area: string;
  readonly text: string;
  readonly recordedAt: string;
  /** Set if it was withdrawn. */
  readonly withdrawnAt?: string;
  readonly corrections?: readonly CorrectionInput[];
}

/** Returns the entries of a report's recorded remarks, in order of arrival; in a comparison with their report. */
export const manifestRemarks = (report: ReportInput, compared: boolean): ManifestRemark[] =>
  report.remarks.flatMap(({ evidence, ...remark }) =>
    evidence === undefined ? [] : [manifestRemark(report, { ...remark, ...evidence }, compared)],
  );

/** Returns those of its withdrawn remarks. */
export const withdrawnManifestRemarks = (report: ReportInput, compared: boolean): ManifestRemark[] =>
  (report.withdrawnRemarks ?? []).map((remark) => manifestRemark(report, remark, compared));

type EitherRemark = Omit<WithdrawnRemark, 'withdrawnAt'> & Partial<Pick<WithdrawnRemark, 'withdrawnAt'>>;

function manifestRemark(
  { reportId }: ReportInput,
  { id, areaName, text, corrections, recordedAt, withdrawnAt }: EitherRemark,
  compared: boolean,
): ManifestRemark {
  return {
    ...{ id, area: areaName, text, recordedAt: isoTime(recordedAt) },
    ...(withdrawnAt === undefined ? {} : { withdrawnAt: isoTime(withdrawnAt) }),
    ...(corrections === undefined ? {} : { corrections }),
    ...(compared ? { source: { reportId } } : {}),
  };
}
