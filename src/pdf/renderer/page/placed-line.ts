import type { SetText } from '../../templates/definition.js';
import type { LayoutNode } from '../file/pdfmake-parts.js';
import type { SetLine } from '../text/wrap-text.js';

/** A line of a `SetText` on its page; `first` if it has the lead and trail. */
export interface PlacedLine {
  readonly set: SetText;
  readonly line: SetLine;
  readonly size: number;
  readonly first: boolean;
  readonly width: number;
  /** The block of the line if it is a link target, a bookmark, or continues a section. */
  readonly node?: LayoutNode;
}

/** The line as an item of a page, in the form that pdfmake's writer places and copies. */
export class LineItem {
  x = 0;
  y = 0;
  /** The block whose first position pdfmake corrects when the line moves with others to another page. */
  _node: LayoutNode | undefined;

  constructor(readonly placed: PlacedLine) {}

  get inlines(): readonly { readonly alignment: 'left' | 'right' }[] {
    return ALIGNED[this.placed.set.style.alignment ?? 'left'];
  }

  getHeight(): number {
    return this.placed.size * this.placed.set.style.lineHeight;
  }

  getWidth(): number {
    const { set, line, size, width } = this.placed;
    return set.style.alignment === 'right' ? (line.width * size) / 1000 : width;
  }

  clone(): LineItem {
    const copy = new LineItem(this.placed);
    copy.x = this.x;
    copy.y = this.y;
    copy._node = this._node;
    return copy;
  }
}

/** Returns the item of a line of a block. It holds the block only where it is a mark, so that a table's cells can be released. */
export function lineItem(line: Omit<PlacedLine, 'node'>, node: LayoutNode): LineItem {
  const isMark = node.id !== undefined || node['outline'] === true || node['continuesSection'] !== undefined;
  const item = new LineItem({ ...line, ...(isMark ? { node } : {}) });
  if (node.id !== undefined && line.first) item._node = node;
  return item;
}

const ALIGNED = { left: [{ alignment: 'left' }], right: [{ alignment: 'right' }] } as const;
