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

/** Returns the entries of a report's recorded remarks, in order of arrival. */
export const manifestRemarks = ({ reportId, remarks }: ReportInput, compared: boolean): ManifestRemark[] =>
  remarks.flatMap(({ evidence, ...remark }) =>
    evidence === undefined
      ? []
      : [{ ...manifestRemark({ ...remark, ...evidence }), ...(compared ? { source: { reportId } } : {}) }],
  );

type EitherRemark = Omit<WithdrawnRemark, 'withdrawnAt'> & Partial<Pick<WithdrawnRemark, 'withdrawnAt'>>;

export const manifestRemark = (remark: EitherRemark): ManifestRemark => {
  const { id, areaName, text, corrections, recordedAt, withdrawnAt } = remark;
  return {
    ...{ id, area: areaName, text, recordedAt: isoTime(recordedAt) },
    ...(withdrawnAt === undefined ? {} : { withdrawnAt: isoTime(withdrawnAt) }),
    ...(corrections === undefined ? {} : { corrections }),
  };
};
