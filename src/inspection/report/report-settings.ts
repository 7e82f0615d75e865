import type { z } from 'zod';
import type { flowReport } from '../../api/flow-definition.js';
import type { ReportLayout } from '../../api/report-terms.js';

/**
 * The `report` member of the flow at the time of the claim, with the layout of the request. Stored with the claim, so that
 * a redraw gives the same bytes.
 */
export type ReportSettings = Omit<z.infer<typeof flowReport>, 'layout'> & { readonly layout: ReportLayout };

/** The settings of a report without a flow of its own. */
export const DEFAULT_SETTINGS: ReportSettings = { layout: 'standard' };

/** Returns the flow's texts that are printed as they are; a blank one counts as absent. */
export const printedSettings = ({ layout, ...texts }: ReportSettings) => ({
  layout,
  ...Object.fromEntries(
    (['guidance', 'disclaimers', 'defaultSentence'] as const).flatMap((name) => {
      const text = texts[name];
      return text === undefined || !/\S/.test(text) ? [] : [[name, text]];
    }),
  ),
});
