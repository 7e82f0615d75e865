import type { ServiceArea } from '../areas/area-type.js';

/** Everything the document says, in print order: plain data, ready to be sent to the drawing worker. */
export interface InspectionReport {
  readonly reportId: string;
  /** The short reference in the footer. */
  readonly reference: string;
  /** Epoch milliseconds of the render; becomes the document's creation date. */
  readonly createdAt: number;
  readonly fileName: string;
  readonly cover: Cover;
  readonly summary: readonly SummaryRow[];
  readonly metersAndKeys: readonly ServiceSection[];
  readonly rooms: readonly RoomSection[];
  /** Null when nothing outside was photographed or remarked on. */
  readonly externalAreas: ExternalAreas | null;
  readonly declaration: Declaration;
  readonly photographCount: number;
}

/** Values stand as sent; an absent one has no member and prints no label. */
export interface Cover {
  readonly title: string;
  readonly guided: boolean;
  readonly logo?: string;
  readonly address?: string;
  readonly company?: string;
  readonly assessor?: string;
  readonly tenant?: string;
  readonly reportDate: string;
  readonly location?: { readonly text: string; readonly mapUrl: string };
}

export interface ReportPhotograph {
  readonly id: string;
  /** 1..N in print order over the whole document. */
  readonly number: number;
  /** `25 Oct 2026, 01:30 BST`. */
  readonly stamp: string;
  /** `Photograph 7, Kitchen, 25 Oct 2026, 01:30 BST`. */
  readonly alternative: string;
  readonly caption?: string;
  readonly width: number;
  readonly height: number;
  readonly rendition: string | null;
  readonly renditionBytes?: number;
}

export interface RoomSection {
  readonly heading: string;
  readonly photographs: readonly ReportPhotograph[];
  readonly comments: readonly string[];
}

export interface ServiceSection extends RoomSection {
  readonly service: ServiceArea | null;
  /** True prints the absence note. */
  readonly absent: boolean;
  readonly keyDetails: readonly LabelledValue[];
}

export interface ExternalAreas {
  readonly rooms: readonly RoomSection[];
  readonly comments: readonly string[];
}

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
  readonly status: 'Photographed' | 'Reported absent' | 'Noted';
}

export interface Declaration {
  readonly clerk?: string;
  readonly tenant?: string;
}
