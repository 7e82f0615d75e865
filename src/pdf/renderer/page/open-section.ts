import type { LaidOutPage, LayoutNode } from '../pdfmake-parts.js';
import type { PlacedLine } from './placed-line.js';

/**
 * Where one is in the document: the section whose content goes on at the top of a page. Told of each heading as it is
 * drawn, page after page.
 */
export class OpenSection {
  private open: LayoutNode | undefined;

  constructor(private readonly nodesById: ReadonlyMap<string, LayoutNode>) {}

  /** A heading was drawn: what follows is of its section. */
  begin(heading: LayoutNode): void {
    this.open = heading;
  }

  /** `Meters & Keys · Gas Meter, continued`; empty where the page begins a section, or nothing has a heading yet. */
  continuedOn(page: LaidOutPage): string {
    const begun = headingAtTop(page);
    const innermost = begun ? this.parentOf(begun) : this.open;
    if (!innermost) return '';
    const outer = this.parentOf(innermost);
    const names = [...(outer ? [outer] : []), innermost].map(({ outlineText }) => outlineText as string);
    return `${names.join(' · ')}, continued`;
  }

  private parentOf({ outlineParentId }: LayoutNode): LayoutNode | undefined {
    return this.nodesById.get(outlineParentId as string);
  }
}

/** The heading that a page begins with; rules above it do not count. */
function headingAtTop({ items }: LaidOutPage): LayoutNode | undefined {
  const first = items.find(({ type, item }) => type !== 'vector' || 'photograph' in item);
  const node = (first?.item.placed as PlacedLine | undefined)?.node;
  return node?.outline === true ? node : undefined;
}
