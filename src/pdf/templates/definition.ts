import type { ReportLook } from '../../inspection/report/report-look.js';

/**
 * The hand-over from template to renderer: a pdfmake document definition made of plain data, in which every text is a
 * `SetText` (set by the service's own type setter, so any length, script and character is safe), every photograph a
 * `PhotographSpot` (a canvas vector, so a row of them is one unbreakable block), and every piece of content belongs to
 * an element of the structure tree.
 */
export interface DocumentDefinition {
  readonly content: readonly Block[];
  /** Which document this is, over each page but the first: one line, cut where it is longer. */
  readonly head: string;
  /** The three texts at the foot of a page. */
  readonly footer: (page: number, pages: number) => FooterTexts;
  /** A word at the head of each page, for what is not to be taken for a report. */
  readonly mark?: string;
  readonly look: ReportLook;
  readonly structure: StructureElement;
  readonly info: DocumentInfo;
}

export interface FooterTexts {
  readonly left: string;
  readonly centre: string;
  readonly right: string;
}

export interface DocumentInfo {
  readonly title: string;
  readonly author?: string;
  readonly subject?: string;
  readonly keywords: string;
  readonly language: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

export type StructureRole =
  | 'Document'
  | 'Sect'
  | 'H1'
  | 'H2'
  | 'H3'
  | 'H4'
  | 'P'
  | 'Span'
  | 'Link'
  | 'TOC'
  | 'TOCI'
  | 'Reference'
  | 'Table'
  | 'TR'
  | 'TH'
  | 'TD'
  | 'Figure'
  | 'Caption';

/** An element of the structure tree. Its own content comes before its children; one without either is left out. */
export interface StructureElement {
  readonly role: StructureRole;
  readonly children: StructureElement[];
  readonly alternative?: string;
  /** Of a `TH`: what it heads; a column where nothing is said. */
  readonly scope?: 'Row';
  /** Where it is not the document's (BCP 47). */
  readonly language?: string;
}

export type Weight = 'regular' | 'semibold';

export interface TextStyle {
  /** Points. */
  readonly size: number;
  readonly weight: Weight;
  /** `#rrggbb`. */
  readonly color: string;
  /** Multiple of the size. */
  readonly lineHeight: number;
  /** Pair kerning: for headings only, it costs. */
  readonly kern?: boolean;
  readonly alignment?: 'left' | 'right';
}

/** A text as the type setter sets it, wrapped to the width it finds, flowing over as many pages as it needs. */
export interface SetText {
  readonly value: string;
  readonly style: TextStyle;
  readonly element: StructureElement;
  /**
   * A short text at the left of the first line; the value starts `width` points further in, on every line. It belongs to
   * the value's element, or to one of its own, which comes before that.
   */
  readonly lead?: {
    readonly value: string;
    readonly style: TextStyle;
    readonly width: number;
    readonly element?: StructureElement;
  };
  /** A short text at the right end of the first line, or the number of the page where a block begins. */
  readonly trail?: { readonly style: TextStyle; readonly width: number } & (
    | { readonly value: string }
    | { readonly pageOf: string }
  );
  /** A value of up to so many characters is set smaller, down to this size, before it is broken over two lines. */
  readonly oneLine?: { readonly upTo: number; readonly smallest: number };
  /** A paragraph of a script that runs from right to left stands at the right edge; else it starts where others do. */
  readonly byDirection?: true;
  /** A web address that every line links to, or the id of a block of this document. */
  readonly link?: { readonly url: string } | { readonly block: string };
}

/** A photograph in its frame: the picture fitted whole into it, number and stamp under it. */
export interface PhotographSpot {
  readonly key: string | null;
  /** Hex; a file of other bytes is not drawn. Null where it is not known. */
  readonly sha256: string | null;
  /** Height of the frame in points; the caption line stands below it. */
  readonly frameHeight: number;
  /** Points by which the frame may grow where its page has room. */
  readonly stretch?: number;
  readonly label: string;
  readonly stamp: string;
  readonly element: StructureElement;
  readonly captionElement: StructureElement;
}

/** A place in a row of photographs in which none stands, and the words that say so. */
export interface EmptySpot {
  readonly words: string;
  /** As of a photograph's frame. */
  readonly frameHeight: number;
  readonly stretch?: number;
  readonly element: StructureElement;
}

export interface PhotographVector {
  readonly type: 'rect';
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly photograph: PhotographSpot | EmptySpot;
}

export interface PlainVector {
  readonly type: 'rect';
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly color: string;
  /** On the first page: it and all beneath it move down where room is left. */
  readonly spreads?: CoverPart;
}

/** The parts of a cover that stand apart from what is above them. */
export type CoverPart = 'title' | 'facts';

export type Margin = readonly [left: number, top: number, right: number, bottom: number];

interface Common {
  readonly margin?: Margin;
  /** Points that must be left on the page, or the block begins on the next one. */
  readonly keep?: number;
  readonly pageBreak?: 'before';
  /** Points that must be left for it on the first page, or it begins another; then it needs no `pageBreak`. */
  readonly onCover?: number;
}

export interface TextBlock extends Common {
  /** Always empty: the words are in `set`. */
  readonly text: '';
  readonly set: SetText;
  /** Generated, never a name: link target and page reference. */
  readonly id?: string;
  readonly outline?: true;
  readonly outlineText?: string;
  readonly outlineParentId?: string;
  readonly outlineExpanded?: boolean;
  /** The id of the heading whose section this block goes on with, where that is not the heading right before it. */
  readonly goesOnWith?: string;
}

export interface CanvasBlock extends Common {
  readonly canvas: readonly (PhotographVector | PlainVector)[];
}

export interface PictureBlock extends Common {
  readonly image: string;
  readonly fit: readonly [width: number, height: number];
  readonly element: StructureElement;
}

export interface StackBlock extends Common {
  readonly stack: readonly Block[];
}

export interface TableBlock extends Common {
  readonly table: {
    readonly headerRows: number;
    readonly dontBreakRows?: boolean;
    readonly widths: readonly (number | '*')[];
    readonly body: readonly (readonly Block[])[];
  };
  readonly layout: string;
}

export type Block = TextBlock | CanvasBlock | PictureBlock | StackBlock | TableBlock;

/** Adds a child to an element of the structure tree and gives it back. */
export function child(parent: StructureElement, role: StructureRole, alternative?: string): StructureElement {
  const element: StructureElement = {
    role,
    children: [],
    ...(alternative === undefined ? {} : { alternative }),
  };
  parent.children.push(element);
  return element;
}

/** Adds a head cell to a row of the structure tree, for what stands beside it. */
export function rowHead(row: StructureElement): StructureElement {
  const element: StructureElement = { role: 'TH', children: [], scope: 'Row' };
  row.children.push(element);
  return element;
}
