import type {
  Cover,
  Declaration,
  LabelledValue,
  ReportFact,
  ReportPhotograph,
  ReportRemark,
} from '../../../inspection/report/inspection-report.js';
import type { ReportInput } from '../../../inspection/report/report-input.js';

/** The inputs of two reports; `now` is the instant of the comparison, on which only its file name depends. */
export interface ComparisonInput {
  readonly now: number;
  readonly before: ReportInput;
  readonly after: ReportInput;
  /** Items that are the same under two names. */
  readonly pairs?: readonly NamedPair[];
}

/** One thing in the earlier and in the later report. */
export interface Sides<Value> {
  readonly before: Value;
  readonly after: Value;
}

/** Two names of one item, as the caller sent them. */
export type NamedPair = Sides<string>;

/** A difference of two facts about one thing, in words, and its gravity. */
export interface Difference {
  /** The order of differences: the greater, the worse. */
  readonly gravity: number;
  /** `Good → Poor`, `Used 214 kWh`, `1 not returned` */
  readonly words: readonly string[];
}

/** The contents of a comparison in print order: plain data, equal for the same two reports. */
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
  /** Items, meters, keys and alarms that both reports describe differently, the worst change first. */
  readonly changes: readonly ThingChange[];
  readonly metersAndKeys: readonly ComparedArea[];
  readonly rooms: readonly ComparedArea[];
  /** Null if neither report has external areas. */
  readonly externalAreas: {
    readonly rooms: readonly ComparedArea[];
    readonly comments: Sides<readonly ReportRemark[]>;
  } | null;
  /** Who signs: the people whom the later report names, else those of the earlier. */
  readonly signatories: Pick<Declaration, 'clerk' | 'tenants' | 'agent'>;
}

/** One of the two reports, and the name of its side. */
export interface ComparedReport {
  readonly name: SideName;
  readonly reportId: string;
  readonly reference: string;
  readonly cover: Cover;
  readonly photographs: number;
  readonly remarks: number;
}

export interface SideName {
  /** `Check-in`, `First interim` */
  readonly label: string;
  /** The label in a photograph's caption: `check-in`, `first` */
  readonly short: string;
  /** `at check-in` */
  readonly when: string;
  /** `in the check-in` */
  readonly where: string;
}

/** An area under one heading; null for a report that does not have it. */
export interface ComparedArea extends Sides<AreaSide | null> {
  readonly heading: string;
  /** Its photographs in print order: row by row, the earlier report's on the left, null where there is no counterpart. */
  readonly pairs: readonly PhotographPair[];
  /** The facts of both reports, paired by their things, in the order of the earlier report. */
  readonly facts: readonly ComparedFact[];
}

export interface PhotographPair extends Sides<ReportPhotograph | null> {
  /** Set if they show one thing: the reports cite them for it, or they look alike. Absent if only their order pairs them. */
  readonly sure?: true;
}

/** A fact and the heading of its area in its own report. */
export interface PlacedFact {
  readonly area: string;
  readonly fact: ReportFact;
}

/** The facts of both reports about one thing; null where a report does not mention it. */
export type PairedFact = Sides<PlacedFact | null>;

export type ComparedFact = PairedFact & {
  /** Null if the two do not differ, or only one report mentions the thing. */
  readonly difference: Difference | null;
};

/** A thing that both reports describe differently. */
export interface ThingChange extends Sides<PlacedFact> {
  readonly area: ComparedArea;
  readonly difference: Difference;
  /** A photograph of it in either report; null where there is none. */
  readonly photographs: Sides<ReportPhotograph | null>;
}

export interface AreaSide {
  readonly photographs: readonly ReportPhotograph[];
  readonly comments: readonly ReportRemark[];
  readonly facts: readonly ReportFact[];
  readonly absent: boolean;
  readonly keyDetails: readonly LabelledValue[];
}

/** Returns all areas of a comparison in print order. */
export const comparedAreas = ({ metersAndKeys, rooms, externalAreas }: ComparisonReport): ComparedArea[] => [
  ...metersAndKeys,
  ...rooms,
  ...(externalAreas?.rooms ?? []),
];

/** Returns `4 photographs, 1 remark`, without the zeros. */
export function counted(photographs: number, remarks: number): string {
  const parts = [plural(photographs, 'photograph'), plural(remarks, 'remark')];
  return parts.filter((part) => part !== '').join(', ');
}

function plural(count: number, noun: string): string {
  if (count === 0) return '';
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

/** Returns `Only at check-in` for an area of one report alone; undefined for one of both. */
export function onlySide(
  { before, after }: Sides<AreaSide | null>,
  sides: Sides<ComparedReport>,
): string | undefined {
  if (before && after) return undefined;
  return `Only ${(before ? sides.before : sides.after).name.when}`;
}
