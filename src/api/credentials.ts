import { z } from 'zod';
import { CREDENTIAL_KINDS } from './credential-terms.js';
import { timestamp } from './shapes.js';

/** A credential without its secret, which no answer contains. */
export const credential = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    kind: z.enum(CREDENTIAL_KINDS),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Credential' });
export type CredentialView = z.infer<typeof credential>;
