import type { SetText } from '../../templates/definition.js';
import type { LayoutNode } from '../pdfmake-parts.js';
import type { SetLine } from '../text/wrap-text.js';

/** A line of a `SetText` on its page; `first` says that the lead and trail stand on it. */
export interface PlacedLine {
  readonly set: SetText;
  readonly line: SetLine;
  readonly size: number;
  readonly first: boolean;
  readonly width: number;
  readonly node: LayoutNode;
}
