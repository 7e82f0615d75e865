import { z } from 'zod';
import { checked } from '../common/valid-body.decorator.js';
import type { MailOrder } from './delivery/mail-outbox.js';
import { isMailAddress } from './delivery/mail-rules.js';

/** A report of what is pending in a session. */
export interface InspectionOrder {
  type: 'inspection';
  sessionId: string;
  /** Narrows the render to the photographs of one flow. */
  flowId?: string;
  /** `source.meta` as it arrived: anything at all. */
  meta: unknown;
  requireComplete: boolean;
  forceFinish: boolean;
}

/** Two earlier reports, by their ids, side by side. */
export interface ComparisonOrder {
  type: 'comparison';
  before: string;
  after: string;
}

export type SourceOrder = InspectionOrder | ComparisonOrder;

/** What a caller asks of a render, from HTTP or from a flow. */
export interface RenderOrder {
  source: SourceOrder;
  email?: MailOrder;
}

/** Control characters; U+FFFD stands where one that cannot be stored was. */
const CONTROL = /[\p{Cc}\ufffd]/u;
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value === true);

const plainText = z
  .string()
  .min(1)
  .max(256, 'must have at most 256 characters')
  .refine((text) => !CONTROL.test(text), 'must hold no control characters');

export const sessionIdSchema = plainText;

const address = z.string().trim().refine(isMailAddress, 'must be a plain e-mail address');

const recipients = z.union([
  z.array(address).min(1, 'name at least one recipient').max(1000),
  address.transform((one) => [one]),
]);

export const emailSchema = z
  .object({
    to: recipients,
    subject: z.string().max(1000).nullish(),
    text: z.string().max(100_000).nullish(),
  })
  .transform(({ to, subject, text }): MailOrder => ({
    to: [...new Set(to)],
    ...(subject ? { subject } : {}),
    ...(text ? { text } : {}),
  }));

const delivery = z.object({ email: emailSchema.nullish() }).nullish();

const inspection = z.object({
  templateId: z.literal('inspection'),
  source: z
    .object({
      type: z.literal('inspection', 'this template takes "inspection" only'),
      sessionId: sessionIdSchema,
      meta: z.unknown().optional(),
      flowId: z.string().nullish(),
      requireComplete: flag,
      forceFinish: flag,
    })
    .transform(({ type, sessionId, meta, flowId, requireComplete, forceFinish }): InspectionOrder => ({
      ...{ type, sessionId, meta, requireComplete, forceFinish },
      ...(typeof flowId === 'string' ? { flowId } : {}),
    })),
  delivery,
});

const comparison = z.object({
  templateId: z.literal('comparison'),
  source: z.object({
    type: z.literal('comparison', 'this template takes "comparison" only'),
    before: plainText,
    after: plainText,
  }),
  delivery,
});

/** What the body of a render may hold. */
export const renderRequestSchema = z.discriminatedUnion('templateId', [inspection, comparison], {
  error: ({ code }) =>
    code === 'invalid_union' ? 'there are two templates: "inspection" and "comparison"' : undefined,
});

/** Checks the body of a render; 400 `invalid_request` with each fault's path. */
export function readRenderRequest(body: unknown): RenderOrder {
  const request: z.infer<typeof renderRequestSchema> = checked(renderRequestSchema, body);
  return { source: request.source, ...(request.delivery?.email ? { email: request.delivery.email } : {}) };
}
