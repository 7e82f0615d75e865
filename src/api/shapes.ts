import { z } from 'zod';

/** An instant in ISO 8601, in UTC. */
export const timestamp = z.iso.datetime();

/** One page of a list. */
export const pageSchema = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    data: z.array(item),
    nextCursor: z
      .string()
      .nullable()
      .exactOptional()
      .describe('Where the next page begins; null on the last.'),
  });

/** One event of a stream: the JSON of a `data:` line. */
export const event = <Name extends string, Data extends z.ZodType>(name: Name, data: Data) =>
  z.strictObject({ event: z.literal(name), data });

/** A page whose `nextCursor` is always present. */
export interface PageOf<Item> {
  data: Item[];
  nextCursor: string | null;
}

/** A JSON value of any form. */
export const anyJson = z.custom<z.core.util.JSONType>((value) => value !== undefined);
