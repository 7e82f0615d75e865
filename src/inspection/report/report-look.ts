import type { ReportSettings } from './report-settings.js';

/**
 * The look of a report's pages. Stored with its claim, so that a redraw gives the same bytes even if the flow's brand or
 * the newest layout has changed since.
 */
export interface ReportLook {
  /** The arrangement of the pages. */
  readonly layout: 1;
  /** The colour of the flow's brand, `#rrggbb`, at the time of the claim; absent if it had none. */
  readonly colour?: string;
  /** The flow's `report` member at the time of the claim; absent if it had none and the request named no layout. */
  readonly report?: ReportSettings;
}

/** The look of new claims, and the default if a request names none. */
export const NEWEST_LOOK: ReportLook = { layout: 1 };
