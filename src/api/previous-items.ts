import { z } from 'zod';
import { AREA_TYPES } from './inspection-terms.js';

export const previousItem = z
  .strictObject({
    area: z.string().describe('The area to record an observation of it under.'),
    areaType: z.enum(AREA_TYPES),
    item: z.string(),
    text: z.string().exactOptional().describe('What the check-in says of it: `poor, dirty, Chipped`.'),
    factId: z
      .string()
      .nullable()
      .describe('The observation of this session that describes it; null while there is none.'),
  })
  .meta({ id: 'PreviousItem' });
export type PreviousItem = z.infer<typeof previousItem>;

export const previousItems = z
  .strictObject({
    report: z
      .strictObject({
        id: z.string(),
        reference: z.string(),
        inspected: z.string().exactOptional().describe('The civil days of its inspection: `3 Nov 2025`.'),
      })
      .nullable()
      .describe('Null if the details of the inspection name no `previousReport`.'),
    data: z.array(previousItem).describe('In the order of that report.'),
    nextCursor: z.string().nullable().describe('Starts the next page; null on the last.'),
  })
  .meta({ id: 'PreviousItems' });
export type PreviousItemsPage = z.infer<typeof previousItems>;
