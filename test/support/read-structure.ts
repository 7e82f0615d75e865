import { readFileSync } from 'node:fs';
import { PdfFile } from '../../scripts/verify/pdf/pdf-file.mjs';
import { nameIn, readable, Ref } from '../../scripts/verify/pdf/values.mjs';
import { readPdf } from './read-pdf.js';

type Dictionary = ReadonlyMap<string, unknown>;

/** An element of the structure tree. */
export interface Tagged {
  readonly role: string;
  readonly kids: readonly Tagged[];
  /** Its own text and that of its descendants, in tree order. */
  readonly text: string;
  /** Number of its annotations. */
  readonly annotations: number;
  readonly alternative?: string;
  /** Set if it differs from the document's language. */
  readonly language?: string;
  /** `A` of the element: `{ O: 'Table', Scope: 'Row' }`. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Position of its own content: the page, from 0, and the number of the marked content. */
  readonly page?: number;
  readonly mark?: number;
}

export interface PdfStructure {
  readonly file: PdfFile;
  readonly catalogue: Dictionary;
  readonly document: Tagged;
  /** Every element, parents before their children. */
  readonly all: readonly Tagged[];
}

/** Reads the structure tree of a report from the catalogue down, with each element's text on the pages. */
export function readStructure(path: string): PdfStructure {
  const file = new PdfFile(readFileSync(path));
  const texts = readPdf(path).pages.map(({ marked }) => marked);
  const places = new Map(file.pages.map(({ ref }, page) => [(ref as Ref).num, page]));
  const pageOf = (ref: unknown): number | undefined => (ref instanceof Ref ? places.get(ref.num) : undefined);
  const walk = (dict: Dictionary): Tagged => {
    const page = pageOf(dict.get('Pg'));
    const own = file.follow(dict.get('K'));
    const kids: Tagged[] = [];
    let [text, annotations] = ['', 0];
    let mark: number | undefined;
    for (const kid of Array.isArray(own) ? (own as unknown[]) : [own]) {
      const found = file.follow(kid);
      const inner = file.dict(kid);
      const type = nameIn(inner?.get('Type'));
      if (typeof found === 'number') {
        mark ??= found;
        text += texts[page ?? -1]?.get(found) ?? '';
      } else if (type === 'MCR')
        text += texts[pageOf(inner?.get('Pg')) ?? -1]?.get(inner?.get('MCID') as number) ?? '';
      else if (type === 'OBJR') annotations += 1;
      else if (inner) {
        kids.push(walk(inner));
        text += kids.at(-1)?.text ?? '';
      }
    }
    const alternative = readable(file.follow(dict.get('Alt')));
    const language = readable(file.follow(dict.get('Lang')));
    return {
      role: nameIn(dict.get('S')) ?? '',
      ...{ kids, text, annotations },
      attributes: plain(file.dict(dict.get('A')) ?? new Map()),
      ...(alternative === undefined ? {} : { alternative }),
      ...(language === undefined ? {} : { language }),
      ...(page === undefined ? {} : { page }),
      ...(mark === undefined ? {} : { mark }),
    };
  };
  const { catalogue } = file;
  const top = file.follow(file.dict(catalogue.get('StructTreeRoot'))?.get('K'));
  const document = walk(file.dict(Array.isArray(top) ? top[0] : top)!);
  return { file, catalogue, document, all: flattened(document) };
}

const flattened = (element: Tagged): Tagged[] => [element, ...element.kids.flatMap(flattened)];

const plain = (dict: Dictionary): Record<string, unknown> =>
  Object.fromEntries([...dict].map(([name, value]) => [name, nameIn(value) ?? value]));
