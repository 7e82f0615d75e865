import type {
  Cover,
  LabelledValue,
  ReportFact,
  ReportPhotograph,
  ReportRemark,
} from '../../../inspection/report/inspection-report.js';
import type { ReportInput } from '../../../inspection/report/report-input.js';

/** Two claimed reports, as each was made; `now` is the comparison's own instant and decides its file name only. */
export interface ComparisonInput {
  readonly now: number;
  readonly before: ReportInput;
  readonly after: ReportInput;
}

/** One thing as it stands in the earlier and in the later report. */
export interface Sides<Value> {
  readonly before: Value;
  readonly after: Value;
}

/** Everything that a comparison says, in print order: plain data, equal for the same two reports. */
export interface ComparisonReport {
  /** The ids of both reports, joined by `+`. */
  readonly reportId: string;
  /** Epoch milliseconds of the later render of the two. */
  readonly createdAt: number;
  readonly fileName: string;
  readonly cover: {
    readonly title: string;
    readonly address?: string;
    readonly logo?: string;
    readonly company?: string;
  };
  readonly sides: Sides<ComparedReport>;
  readonly metersAndKeys: readonly ComparedArea[];
  readonly rooms: readonly ComparedArea[];
  /** Null when neither report says anything of outside. */
  readonly externalAreas: {
    readonly rooms: readonly ComparedArea[];
    readonly comments: Sides<readonly ReportRemark[]>;
  } | null;
}

/** One of the two reports, and how its side is called. */
export interface ComparedReport {
  readonly name: SideName;
  readonly reportId: string;
  readonly reference: string;
  readonly cover: Cover;
  readonly photographs: number;
  readonly remarks: number;
}

export interface SideName {
  /** `Check-in` */
  readonly label: string;
  /** `at check-in` */
  readonly when: string;
  /** `in the check-in` */
  readonly where: string;
}

/** An area under one heading; null is a report in which it does not stand. */
export interface ComparedArea extends Sides<AreaSide | null> {
  readonly heading: string;
  /** Its photographs in print order: row by row, the earlier report's on the left, null where there is no counterpart. */
  readonly pairs: readonly Sides<ReportPhotograph | null>[];
}

export interface AreaSide {
  readonly photographs: readonly ReportPhotograph[];
  readonly comments: readonly ReportRemark[];
  readonly facts: readonly ReportFact[];
  readonly absent: boolean;
  readonly keyDetails: readonly LabelledValue[];
}

/** All areas of a comparison in print order. */
export const comparedAreas = ({ metersAndKeys, rooms, externalAreas }: ComparisonReport): ComparedArea[] => [
  ...metersAndKeys,
  ...rooms,
  ...(externalAreas?.rooms ?? []),
];
