import { z } from 'zod';
import { checked } from '../common/valid-body.decorator.js';
import type { MailOrder } from './delivery/mail-outbox.js';
import { isMailAddress } from './delivery/mail-rules.js';

/** What a caller asks of a render, from HTTP or from a flow. */
export interface RenderOrder {
  sessionId: string;
  /** `source.meta` as it arrived: anything at all. */
  meta: unknown;
  requireComplete: boolean;
  forceFinish: boolean;
  email?: MailOrder;
}

/** The body of `POST /pdf/render`. */
export interface RenderRequest extends RenderOrder {
  /** Narrows the render to the photographs of one flow. */
  flowId?: string;
}

const CONTROL = /\p{Cc}/u;
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value === true);

export const sessionIdSchema = z
  .string()
  .min(1)
  .max(256, 'must have at most 256 characters')
  .refine((text) => !CONTROL.test(text), 'must hold no control characters');

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

/** What the body of a render may hold. */
export const renderRequestSchema = z.object({
  templateId: z.literal('inspection', 'there is one template: "inspection"'),
  source: z.object({
    type: z.literal('inspection', 'this template takes "inspection" only'),
    sessionId: sessionIdSchema,
    meta: z.unknown().optional(),
    flowId: z.string().nullish(),
    requireComplete: flag,
    forceFinish: flag,
  }),
  delivery: z.object({ email: emailSchema.nullish() }).nullish(),
});

/** Checks the body of a render; 400 `invalid_request` with each fault's path. */
export function readRenderRequest(body: unknown): RenderRequest {
  const { source, delivery } = checked(renderRequestSchema, body);
  return {
    sessionId: source.sessionId,
    meta: source.meta,
    requireComplete: source.requireComplete,
    forceFinish: source.forceFinish,
    ...(typeof source.flowId === 'string' ? { flowId: source.flowId } : {}),
    ...(delivery?.email ? { email: delivery.email } : {}),
  };
}
