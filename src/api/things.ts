import { z } from 'zod';
import { AREA_TYPES } from './inspection-terms.js';
import { timestamp } from './shapes.js';

/** The kinds of things that an inspection records. */
const THING_KINDS = [
  'photograph',
  'remark',
  'observation',
  'reading',
  'keys',
  'alarm',
  'absence',
  'detail',
] as const;
export type ThingKind = (typeof THING_KINDS)[number];

const described = {
  kind: z.enum(THING_KINDS),
  id: z.string(),
  area: z.string().nullable().describe('As it was sent; null for a detail.'),
  text: z
    .string()
    .exactOptional()
    .describe('Its words: the remark, the caption, the reading with its unit, the detail with its label.'),
};

export const thing = z
  .strictObject({
    ...described,
    areaType: z.enum(AREA_TYPES).exactOptional(),
    at: timestamp.describe('When it was recorded.'),
    executionId: z
      .string()
      .nullable()
      .describe('The call that recorded it; null for a detail that was changed outside of a call.'),
    claimed: z.boolean().describe('A report has taken it, so that it can no longer be changed.'),
  })
  .meta({ id: 'Thing' });
export type ThingView = z.infer<typeof thing>;

export const things = z
  .strictObject({
    data: z.array(thing),
    nextCursor: z.string().nullable().describe('Starts the next page; null on the last.'),
  })
  .meta({ id: 'Things' });
export type ThingsPage = z.infer<typeof things>;

const undoneThing = z
  .strictObject({
    ...described,
    corrected: z
      .literal(true)
      .exactOptional()
      .describe('Its correction or removal was reversed; absent: the thing itself was taken back.'),
  })
  .meta({ id: 'UndoneThing' });
export type UndoneThing = z.infer<typeof undoneThing>;

export const undoneThings = z.strictObject({ undone: z.array(undoneThing) }).meta({ id: 'UndoneThings' });
export type UndoneThings = z.infer<typeof undoneThings>;
