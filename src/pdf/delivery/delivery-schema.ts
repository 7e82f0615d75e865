import { z } from 'zod';
import type { MailOrder } from './mail-outbox.js';
import { isMailAddress } from './mail-rules.js';

const address = z.string().trim().refine(isMailAddress, 'must be a plain e-mail address');

const recipients = z.union([
  z.array(address).min(1, 'name at least one recipient').max(1000),
  address.transform((one) => [one]),
]);

/** `delivery.email` of a render. */
const emailSchema = z
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

/** `delivery` of a render. */
export const delivery = z
  .object({
    email: emailSchema
      .nullish()
      .describe(
        'Also e-mails the report. A report that is too large to attach is sent with smaller pictures or, if that is not enough, as a link. Links begin with `PUBLIC_URL`. If a link is needed and `PUBLIC_URL` is not set, `delivery.email` of the answer is `failed` with the code `public_url_not_configured`, and the report stays.',
      ),
  })
  .nullish();
