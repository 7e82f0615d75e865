import { z } from 'zod';
import { EXECUTION_KINDS, EXECUTION_STATUSES, STATS_UNITS } from '../../api/execution-terms.js';
import { storableText } from '../../common/json/json-text.js';
import { isExecutionId } from '../execution-id.js';

const text = (most: number) => z.string().min(1, 'must not be empty').max(most).transform(storableText);

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/, 'must be a whole number')
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
  /** Earliest start. */
  from: instant.optional(),
  /** Latest start. */
  to: instant.optional(),
  q: text(200).optional(),
});

export type ExecutionFilters = z.infer<typeof executionFilters>;

const executionId = z.string().refine(isExecutionId, 'must be the nextCursor of an earlier page');

export const executionPage = executionFilters.extend({
  limit: whole(1, 200).default(50),
  /** `nextCursor` of the previous page. */
  cursor: executionId.optional(),
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
