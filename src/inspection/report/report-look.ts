/**
 * How the pages of a report look, kept with its claim: a redraw gives the same bytes, whatever the flow's brand or the
 * newest layout has become since.
 */
export interface ReportLook {
  /** The arrangement of the pages. 1 is that of claims from before looks were kept. */
  readonly layout: 1 | 2;
  /** The colour of the flow's brand, `#rrggbb`, as its definition had it; absent where it had none. */
  readonly colour?: string;
}

/** Of a claim that is made today, and of whatever says nothing of its look. */
export const NEWEST_LOOK: ReportLook = { layout: 2 };

const FIRST_LOOK: ReportLook = { layout: 1 };

/** Reads the look of a claim's row; null is a claim from before looks were kept. */
export const lookOf = (kept: string | null): ReportLook =>
  kept === null ? FIRST_LOOK : (JSON.parse(kept) as ReportLook);
