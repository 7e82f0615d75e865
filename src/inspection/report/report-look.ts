/**
 * How the pages of a report look, stored with its claim: a redraw gives the same bytes, whatever the flow's brand or the
 * newest layout has become since.
 */
export interface ReportLook {
  /** The arrangement of the pages. */
  readonly layout: 1;
  /** The colour of the flow's brand, `#rrggbb`, as its definition had it; absent where it had none. */
  readonly colour?: string;
}

/** The look of new claims, and the default where a request names none. */
export const NEWEST_LOOK: ReportLook = { layout: 1 };
