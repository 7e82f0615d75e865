import { z } from 'zod';
import { timestamp } from './shapes.js';

export const apiKey = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' });
export type ApiKeyView = z.infer<typeof apiKey>;

/** A new key. Only this answer shows it. */
export const newApiKey = z
  .strictObject({ id: z.string(), name: z.string(), key: z.string().describe('Shown once.') })
  .meta({ id: 'NewApiKey' });
export type NewApiKeyView = z.infer<typeof newApiKey>;

export const addressBlock = z
  .strictObject({ address: z.string(), blockedAt: timestamp, blockedUntil: timestamp })
  .meta({ id: 'AddressBlock' });
export type AddressBlockView = z.infer<typeof addressBlock>;

/** A caller with calls in the current window of a flow's rate limit. */
export const rateLimitUse = z
  .strictObject({
    flowId: z.string(),
    flowName: z.string(),
    caller: z.strictObject({
      apiKeyId: z.string().exactOptional(),
      apiKeyName: z.string().nullable().exactOptional().describe('Null if the key was revoked.'),
      address: z.string().exactOptional(),
    }),
    used: z.int(),
    limit: z.int(),
    windowSeconds: z.int(),
    freeAt: timestamp,
  })
  .meta({ id: 'RateLimitUse' });
export type RateLimitUseView = z.infer<typeof rateLimitUse>;
