import type { ReportLook } from '../../inspection/report/report-look.js';

/**
 * The document that a template passes to the renderer: a pdfmake document definition of plain data. Every text is a
 * `SetText`, set by the service's own type setter, so that any length, script and character is safe. Every photograph is a
 * `PhotographSpot`, a canvas vector, so that a row of them is one unbreakable block. All content belongs to an element of
 * the structure tree.
 */
export interface DocumentDefinition {
  readonly content: readonly Block[];
  /** The running head of each page but the first: one line, cut if it is longer. */
  readonly head: string;
  /** The three texts at the foot of a page. */
  readonly footer: (page: number, pages: number) => FooterTexts;
  /** A word at the head of each page, to mark a document that is no report. */
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

/** An element of the structure tree. Its own content comes before its children; an empty element is left out. */
export interface StructureElement {
  readonly role: StructureRole;
  readonly children: StructureElement[];
  readonly alternative?: string;
  /** The scope of a `TH`; a column when absent. */
  readonly scope?: 'Row';
  /** The columns that a cell spans; one when absent. */
  readonly columns?: number;
  /** The language (BCP 47) if it is not the document's. */
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
  /** Pair kerning; only for headings, because it is slow. */
  readonly kern?: boolean;
  readonly alignment?: 'left' | 'right';
}

/** A text for the type setter: wrapped to the available width, over as many pages as it needs. */
export interface SetText {
  readonly value: string;
  readonly style: TextStyle;
  readonly element: StructureElement;
  /**
   * A short text at the left of the first line; every line of the value is indented by `width` points. It belongs to its own
   * element, which comes before the value's, or to the value's element.
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
  /** Sets a value of up to so many characters smaller, down to this size, before it is broken over two lines. */
  readonly oneLine?: { readonly upTo: number; readonly smallest: number };
  /** Aligns a right-to-left paragraph to the right edge. */
  readonly byDirection?: true;
  /**
   * A web address that every line links to, or the id of a block of this document; or the beginning of the ids to which each
   * number in the text links.
   */
  readonly link?: { readonly url: string } | { readonly block: string } | { readonly numbers: string };
  /** A frame around each line, or a dark ground under white letters. A lead without words indents the text from it. */
  readonly tag?: TagLook;
}

export type TagLook = 'quiet' | 'outlined' | 'solid';

/** A photograph in its frame: the whole picture fitted into it, with number and stamp under it. */
export interface PhotographSpot {
  /** The id to which links to it point. */
  readonly id?: string;
  readonly key: string | null;
  /** Hex; a file with another hash is not drawn. Null if it is not known. */
  readonly sha256: string | null;
  /** Height of the frame in points, without the caption line below it. */
  readonly frameHeight: number;
  /** Points by which the frame may grow if its page has space. */
  readonly stretch?: number;
  readonly label: string;
  /** The item that it shows, after the label; cut if it is too long. */
  readonly subject?: string;
  /** The id of the block to which the label links. */
  readonly row?: string;
  /** Empty if the stamp stands elsewhere. */
  readonly stamp: string;
  readonly element: StructureElement;
  readonly captionElement: StructureElement;
}

/** An empty place in a row of photographs, with words that explain it. */
export interface EmptySpot {
  readonly words: string;
  /** Height of the frame in points. */
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

/** A small copy of a photograph, whole on its mat, that links to the block of the photograph. */
export interface ThumbnailVector {
  readonly type: 'rect';
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly thumbnail: Pick<PhotographSpot, 'key' | 'sha256'> & {
    /** A `Link` that contains the figure. */
    readonly link: StructureElement;
    readonly figure: StructureElement;
    readonly block: string;
  };
}

export interface PlainVector {
  readonly type: 'rect';
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly color: string;
  /** On the first page: moves down, with everything below, if space is left. */
  readonly spreads?: CoverPart;
}

/** The parts of a cover that may move away from those above them. */
export type CoverPart = 'title' | 'facts';

export type Margin = readonly [left: number, top: number, right: number, bottom: number];

interface Common {
  readonly margin?: Margin;
  /** Points that must be left on the page; otherwise the block begins the next one. */
  readonly keep?: number;
  readonly pageBreak?: 'before';
  /** Points that must be left on the first page for the block to be there, without its `pageBreak`. */
  readonly onCover?: number;
}

export interface TextBlock extends Common {
  /** Always empty: the words are in `set`. */
  readonly text: '';
  readonly set: SetText;
  /** Generated id for links and page references. */
  readonly id?: string;
  readonly outline?: true;
  readonly outlineText?: string;
  readonly outlineParentId?: string;
  readonly outlineExpanded?: boolean;
  /** The id of the heading whose section this block continues, if that is not the heading before it. */
  readonly continuesSection?: string;
}

export interface CanvasBlock extends Common {
  readonly canvas: readonly (PhotographVector | ThumbnailVector | PlainVector)[];
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
    readonly widths: readonly (number | '*')[];
    /** A cell with `colSpan` is followed by that many cells less one without content. */
    readonly body: readonly (readonly TableCell[])[];
  };
  readonly layout: string;
}

type TableCell = Block & { readonly colSpan?: number };

export type Block = TextBlock | CanvasBlock | PictureBlock | StackBlock | TableBlock;

/** Adds a child to an element of the structure tree and returns it. */
export function child(parent: StructureElement, role: StructureRole, alternative?: string): StructureElement {
  const element: StructureElement = {
    role,
    children: [],
    ...(alternative === undefined ? {} : { alternative }),
  };
  parent.children.push(element);
  return element;
}

/** Adds a head cell to a row of the structure tree and returns it. */
export function rowHead(row: StructureElement, columns = 1): StructureElement {
  const element: StructureElement = {
    ...{ role: 'TH', children: [], scope: 'Row' },
    ...(columns === 1 ? {} : { columns }),
  };
  row.children.push(element);
  return element;
}
