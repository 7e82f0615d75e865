import type { LaidOutPage, LayoutNode } from '../file/pdfmake-parts.js';
import type { PlacedLine } from './placed-line.js';

/**
 * Tracks the section whose content continues at the top of a page. `begin` is called for each block as it is drawn.
 */
export class OpenSection {
  private open: LayoutNode | undefined;

  constructor(private readonly nodesById: ReadonlyMap<string, LayoutNode>) {}

  /** Opens the section of a heading, or the earlier section that a block continues. */
  begin(node: LayoutNode): void {
    if (node.outline === true) this.open = node;
    else this.open = this.resumedBy(node) ?? this.open;
  }

  /** Returns `Meters & Keys · Gas Meter, continued`; empty if the page begins a section or no section is open. */
  continuedOn(page: LaidOutPage): string {
    const top = nodeAtTop(page);
    const innermost =
      top?.outline === true ? this.parentOf(top) : ((top && this.resumedBy(top)) ?? this.open);
    if (!innermost) return '';
    const outer = this.parentOf(innermost);
    const names = [...(outer ? [outer] : []), innermost].map(({ outlineText }) => outlineText as string);
    return `${names.join(' · ')}, continued`;
  }

  private resumedBy({ continuesSection }: LayoutNode): LayoutNode | undefined {
    return this.nodesById.get(continuesSection as string);
  }

  private parentOf({ outlineParentId }: LayoutNode): LayoutNode | undefined {
    return this.nodesById.get(outlineParentId as string);
  }
}

/** Returns the first block of a page, without rules above it. */
function nodeAtTop({ items }: LaidOutPage): LayoutNode | undefined {
  const first = items.find(({ type, item }) => type !== 'vector' || 'photograph' in item);
  return (first?.item.placed as PlacedLine | undefined)?.node;
}
