import type { ReportLayout } from '../../api/report-terms.js';
import type { ServiceArea } from '../areas/area-type.js';
import type { FactKind, FactWords } from '../facts/fact.js';

/** The content of the document in print order: plain data for the drawing worker. */
export interface InspectionReport {
  readonly reportId: string;
  /** The short reference in the footer. */
  readonly reference: string;
  /** The number of a further edition, from 2; absent in the first. */
  readonly edition?: number;
  /** Epoch milliseconds of the render; the document's creation date. */
  readonly createdAt: number;
  readonly fileName: string;
  readonly cover: Cover;
  readonly frontMatter: FrontMatter;
  /** The flow's text on how to read the report; absent without one. */
  readonly guidance?: string;
  /** The flow's text on what the report does not cover; absent without one. */
  readonly disclaimers?: string;
  /** The flow's sentence, to be printed once in each of `rooms`, after its observations; absent without one. */
  readonly defaultSentence?: string;
  /** `compact` sets photographs that no observation cites three a row. */
  readonly layout: ReportLayout;
  /** The report whose items `asBefore` quotes; absent without one. */
  readonly previousReport?: QuotedReport;
  readonly summary: readonly SummaryRow[];
  /** Observations with a condition or cleanliness that is noted (`GRADES`), in print order. */
  readonly pointsToNote: readonly FactInArea[];
  /** Observations with a responsibility, an action or a note, in print order. */
  readonly actions: readonly FactInArea[];
  /** Words of condition and cleanliness that are printed, for the glossary. */
  readonly gradesUsed: readonly string[];
  /** Readings, keys and alarms of all areas, in print order. */
  readonly serviceFacts: readonly FactInArea[];
  readonly metersAndKeys: readonly ServiceSection[];
  readonly rooms: readonly RoomSection[];
  /** Null without external photographs and remarks. */
  readonly externalAreas: ExternalAreas | null;
  readonly declaration: Declaration;
  readonly photographCount: number;
  /** Headings of the areas that are outstanding; only in a preview. */
  readonly outstanding?: readonly string[];
  /** The changes of a further edition; absent in the first. */
  readonly changes?: readonly EditionChange[];
  /** Withdrawn photographs, which only the list of evidence includes; absent if there are none. */
  readonly withdrawn?: readonly WithdrawnPhotograph[];
}

/** The state of the property and the circumstances of the visit, ready to print; a list is empty if nothing was sent. */
export interface FrontMatter {
  /** Decor, cleanliness and furnishing. */
  readonly overview: readonly LabelledValue[];
  /** Start and end of the tenancy. */
  readonly tenancy: readonly LabelledValue[];
  /** Start and end of the visit. */
  readonly visit: readonly LabelledValue[];
  /** Names of the people present. */
  readonly present: readonly string[];
  /** Documents handed over, with their dates as printed: `3 Nov 2025`. */
  readonly documents: readonly { readonly kind: string; readonly date?: string; readonly note?: string }[];
}

/** An earlier report that this one quotes. */
export interface QuotedReport {
  readonly reportId: string;
  readonly reference: string;
  /** The civil days of its inspection, `3 Nov 2025`; absent if it has no photographs. */
  readonly inspected?: string;
}

/** A row of `Changed in this edition`, in words. `was` is empty for an addition. */
export interface EditionChange {
  readonly what: string;
  readonly was: string;
  readonly now: string;
  readonly reason: string;
  readonly date: string;
}

export interface WithdrawnPhotograph {
  readonly id: string;
  readonly area: string;
}

/** Values as sent; an absent value prints no label. */
export interface Cover {
  readonly title: string;
  readonly guided: boolean;
  readonly logo?: string;
  readonly address?: string;
  /** The company, as the author of the document. */
  readonly company?: string;
  /** The labelled lines: company, inspector and the other members of the cover. */
  readonly rows: readonly LabelledValue[];
  readonly reportDate: string;
  /** The civil day of the first and of the last photograph: `25 Oct 2026`, or `25 Oct 2026 – 26 Oct 2026`. */
  readonly inspected?: string;
  /** The line of a further edition: `Edition 2, replaces <reference> of 25 Oct 2026`. */
  readonly edition?: string;
  readonly location?: { readonly text: string; readonly mapUrl: string };
}

export interface ReportPhotograph {
  readonly id: string;
  /** 1..N in print order over the whole document; in a further edition, that of the edition that printed it first. */
  readonly number: number;
  /** Epoch milliseconds. */
  readonly instant: number;
  /** `25 Oct 2026, 01:30 BST`. */
  readonly stamp: string;
  /** `Photograph 7, Kitchen, 25 Oct 2026, 01:30 BST`. */
  readonly alternative: string;
  /** Its specific name in a service area, a sub-heading (`Smoke alarm landing`). */
  readonly filedUnder?: string;
  /** Its caption, and a note if its picture was partly read. */
  readonly caption?: string;
  readonly width: number;
  readonly height: number;
  readonly rendition: string | null;
  readonly renditionSha256: string | null;
}

export interface RoomSection {
  readonly heading: string;
  /** Grouped by `filedUnder`. */
  readonly photographs: readonly ReportPhotograph[];
  readonly comments: readonly ReportRemark[];
  /** Observations in the order of the flow's items, the others in order of arrival. */
  readonly facts: readonly ReportFact[];
}

/** An observation, a reading, keys or an alarm. */
export interface ReportFact {
  readonly kind: FactKind;
  /** The words as sent; an observation `asBefore` has those of the quoted item where it has none of its own. */
  readonly words: FactWords;
  /** The item of the previous report that `asBefore` quotes; absent if it names none there. */
  readonly quoted?: QuotedItem;
  /** The name within its service area under which it was filed. */
  readonly filedUnder?: string;
  /** Numbers of its photographs in this report, ascending. */
  readonly photographs: readonly number[];
}

/** An item as the previous report describes it. */
export interface QuotedItem {
  readonly words: FactWords;
  /** Numbers of its photographs in that report, ascending. */
  readonly photographs: readonly number[];
}

export interface FactInArea extends ReportFact {
  /** The heading of its area. */
  readonly area: string;
}

/** A remark as it was sent. */
export interface ReportRemark {
  readonly text: string;
  /** The name within its service or external area under which it was filed. */
  readonly filedUnder?: string;
}

export interface ServiceSection extends RoomSection {
  readonly service: ServiceArea | null;
  /** True prints the absence note. */
  readonly absent: boolean;
  readonly keyDetails: readonly LabelledValue[];
}

export interface ExternalAreas {
  readonly rooms: readonly RoomSection[];
  readonly comments: readonly ReportRemark[];
}

/** Returns all areas of a report in print order; those of Meters & Keys have the members of a `ServiceSection`. */
export const sectionsOf = ({
  metersAndKeys,
  rooms,
  externalAreas,
}: Pick<InspectionReport, 'metersAndKeys' | 'rooms' | 'externalAreas'>): (RoomSection &
  Partial<ServiceSection>)[] => [...metersAndKeys, ...rooms, ...(externalAreas?.rooms ?? [])];

export const isObservation = ({ kind }: Pick<ReportFact, 'kind'>): boolean => kind === 'observation';

export interface LabelledValue {
  readonly label: string;
  readonly value: string;
}

export interface SummaryRow {
  readonly section: 'meters-and-keys' | 'room' | 'external';
  readonly area: string;
  readonly photographs: number;
  /** Stamps of the earliest and latest photograph; null without photographs. */
  readonly first: string | null;
  readonly last: string | null;
  /** `3 points to note, 2 remarks`; if there are none, `Photographed`, `Reported absent` or `Noted`. */
  readonly status: string;
}

/** The signature lines, and the counts in the declaration. */
export interface Declaration {
  /** Number of withdrawn photographs; absent if there is none. */
  readonly withdrawn?: number;
  readonly clerk?: string;
  /** A line each; empty if nobody is named. */
  readonly tenants: readonly string[];
  /** The company, if named. */
  readonly agent?: string;
}
