import type { LaidOutPage, LayoutNode } from '../file/pdfmake-parts.js';
import type { PlacedLine } from './fill-page.js';

/**
 * Where one is in the document: the section whose content goes on at the top of a page. Told of each heading as it is
 * drawn, page after page.
 */
export class OpenSection {
  private open: LayoutNode | undefined;

  constructor(private readonly nodesById: ReadonlyMap<string, LayoutNode>) {}

  /** A block was begun: a heading opens its section, and what goes on with an earlier one opens that again. */
  begin(node: LayoutNode): void {
    if (node.outline === true) this.open = node;
    else this.open = this.resumedBy(node) ?? this.open;
  }

  /** `Meters & Keys · Gas Meter, continued`; empty where the page begins a section, or nothing has a heading yet. */
  continuedOn(page: LaidOutPage): string {
    const top = nodeAtTop(page);
    const innermost =
      top?.outline === true ? this.parentOf(top) : ((top && this.resumedBy(top)) ?? this.open);
    if (!innermost) return '';
    const outer = this.parentOf(innermost);
    const names = [...(outer ? [outer] : []), innermost].map(({ outlineText }) => outlineText as string);
    return `${names.join(' · ')}, continued`;
  }

  private resumedBy({ goesOnWith }: LayoutNode): LayoutNode | undefined {
    return this.nodesById.get(goesOnWith as string);
  }

  private parentOf({ outlineParentId }: LayoutNode): LayoutNode | undefined {
    return this.nodesById.get(outlineParentId as string);
  }
}

/** The block that a page begins with; rules above it do not count. */
function nodeAtTop({ items }: LaidOutPage): LayoutNode | undefined {
  const first = items.find(({ type, item }) => type !== 'vector' || 'photograph' in item);
  return (first?.item.placed as PlacedLine | undefined)?.node;
}
