import { z } from 'zod';
import {
  EXECUTION_KINDS,
  EXECUTION_ORDERS,
  EXECUTION_STATUSES,
  STATS_UNITS,
} from '../../api/execution-terms.js';
import { storableText } from '../../common/json/json-text.js';
import { isExecutionId } from '../execution-id.js';

const text = (most: number) => z.string().min(1, 'must not be empty').max(most).transform(storableText);

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,12}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min).max(max));

const iso = z.iso.datetime({ offset: true, local: true, error: 'must be an ISO 8601 time' });

/** Parses ISO 8601 into epoch ms: a date alone is its first instant, a time without offset is UTC. */
const instant = z
  .union([z.iso.date(), iso], 'must be an ISO 8601 time such as 2026-11-21T09:30:00Z')
  .transform((given) =>
    Date.parse(/[Tt]/.test(given) && !/(?:[Zz]|[+-]\d\d:?\d\d)$/.test(given) ? `${given}Z` : given),
  );

/** Filters of the list, the export and the stream. Unknown members are ignored. */
export const executionFilters = z.object({
  chatId: text(256).optional(),
  flowId: text(256).optional(),
  kind: z.enum(EXECUTION_KINDS).optional(),
  status: z.enum(EXECUTION_STATUSES).optional(),
  httpStatus: whole(100, 599).optional(),
  code: text(100).optional(),
  /** Address of the caller, in full. */
  address: text(100).optional(),
  minDurationMs: whole(0, 999_999_999_999).optional(),
  /** Earliest start. */
  from: instant.optional(),
  /** Latest start. */
  to: instant.optional(),
  q: text(200).optional(),
});

export type ExecutionFilters = z.infer<typeof executionFilters>;

const NOT_A_CURSOR = 'must be the nextCursor of an earlier page in the same order';

/** Start of the next page. Ordered by duration it also has the duration of the last record; -1 while it runs. */
const cursor = z.string().transform((text, context) => {
  const [id = '', took, ...more] = text.split('_');
  if (isExecutionId(id) && more.length === 0 && (took === undefined || /^(-1|\d{1,15})$/.test(took)))
    return { id, ...(took === undefined ? {} : { took: Number(took) }) };
  context.addIssue(NOT_A_CURSOR);
  return z.NEVER;
});

export type ExecutionCursor = z.infer<typeof cursor>;

export const textOfCursor = ({ id, took }: ExecutionCursor): string =>
  took === undefined ? id : `${id}_${took}`;

export const executionPage = executionFilters
  .extend({
    limit: whole(1, 200).default(50),
    sort: z.enum(EXECUTION_ORDERS).default('newest'),
    /** `nextCursor` of the previous page. */
    cursor: cursor.optional(),
  })
  .refine((page) => !page.cursor || (page.cursor.took !== undefined) === (page.sort === 'duration'), {
    path: ['cursor'],
    error: NOT_A_CURSOR,
  });

export type ExecutionPage = z.infer<typeof executionPage>;

export const statsQuery = executionFilters.omit({ q: true }).extend({
  by: z.enum(STATS_UNITS).optional(),
  /** Minutes that the reader's clock is ahead of UTC; days begin at the reader's midnight. */
  utcOffset: z
    .string()
    .regex(/^-?\d{1,3}$/, 'must be whole minutes')
    .transform(Number)
    .pipe(z.number().min(-840).max(840))
    .optional(),
});

export type StatsQuery = z.infer<typeof statsQuery>;
