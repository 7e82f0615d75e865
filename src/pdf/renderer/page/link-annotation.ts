import { cutText } from '../../../common/texts/cut-text.js';
import type { StructureElement } from '../../templates/definition.js';
import type { PdfDocument } from '../file/pdf-document.js';
import type { StructureTree } from './structure-tree.js';

interface LinkPlace {
  /** Points from the left, and from the top of the page. */
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A web address, or the id of a block of the document. */
type LinkTarget = { readonly url: string } | { readonly block: string };

const LONGEST_DESCRIPTION = 200;

/** Adds a link to the current page, under its `Link` element. */
export function annotateLink(
  document: PdfDocument,
  structure: StructureTree,
  link: StructureElement,
  { left, top, right, bottom }: LinkPlace,
  to: LinkTarget & { readonly description: string },
): void {
  const { page } = document;
  const annotation = document.ref({ Type: 'Annot', Subtype: 'Link', Border: [0, 0, 0], F: 4 });
  annotation.data.Rect = [left, page.height - top, right, page.height - bottom];
  annotation.data.Contents = new String(cutText(to.description, LONGEST_DESCRIPTION));
  if ('url' in to) annotation.data.A = { S: 'URI', URI: new String(to.url) };
  else annotation.data.Dest = new String(to.block);
  annotation.data.StructParent = structure.link(link, annotation);
  annotation.end();
  page.annotations.push(annotation);
}
