import { z } from 'zod';
import { DECISIONS } from './execution-terms.js';
import { type AnsweredCode, problems } from './problems.js';
import { timestamp } from './shapes.js';

/** The one shape of errors (RFC 9457). An error may have further members. */
export const problem = z
  .looseObject({
    type: z.literal('about:blank'),
    title: z.string().describe('The reason phrase of the status.'),
    status: z.int(),
    code: z
      .enum(Object.keys(problems) as [AnsweredCode, ...AnsweredCode[]])
      .describe('Stable; programs decide by it.'),
    detail: z.string().describe('A sentence that says what to do next.'),
    message: z.string().describe('The same sentence.'),
    executionId: z
      .string()
      .exactOptional()
      .describe('The record of the call: on prediction, capture and render.'),
    errors: z
      .array(
        z.strictObject({
          path: z
            .string()
            .exactOptional()
            .describe('Its place, such as `photographs.0.data`; absent for a body that is no text at all.'),
          message: z.string().describe('The fault.'),
          offset: z.int().exactOptional().describe('With `invalid_encoding`: the byte, counted as sent.'),
        }),
      )
      .exactOptional(),
    rejected: z
      .array(z.strictObject({ index: z.int(), code: z.string(), message: z.string() }))
      .exactOptional()
      .describe('With `no_usable_photograph`: each photograph by its place in the batch, and why.'),
    decided: z
      .strictObject({
        type: z.enum(DECISIONS).exactOptional(),
        feedback: z.string().exactOptional(),
        at: timestamp.exactOptional(),
      })
      .exactOptional()
      .describe('With `already_decided`: the earlier decision.'),
    failedNode: z
      .strictObject({ id: z.string().exactOptional(), label: z.string().exactOptional() })
      .exactOptional()
      .describe("With `flow_failed`, for a caller who holds the flow's key."),
  })
  .meta({ id: 'Problem' });
