/** Answers about keys, credit, rate limits, blocks and credentials of `/api/v1`. Times are ISO 8601 in UTC. */

export interface ApiKey {
  id: string;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
}

/** `POST api-keys`: the only answer that shows the key. */
export interface NewApiKey {
  id: string;
  name: string;
  key: string;
}

export interface Balance {
  account: string;
  balance: number;
}

export interface LedgerEntry {
  id: string;
  kind: 'top_up' | 'charge' | 'refund';
  amount: number;
  balanceAfter: number;
  executionId: string | null;
  reference: string | null;
  at: string;
}

/** `POST credit/:account/top-ups`. `repeated`: the reference was known, `entry` is that of then, nothing was added. */
export interface ToppedUp extends Balance {
  entry: LedgerEntry;
  repeated: boolean;
}

/** `GET rate-limits`: callers with a call in their window. `apiKeyName` is null where the key was revoked. */
export interface RateLimitUse {
  flowId: string;
  flowName: string;
  caller: { address?: string; apiKeyId?: string; apiKeyName?: string | null };
  used: number;
  limit: number;
  windowSeconds: number;
  freeAt: string;
}

export interface AddressBlock {
  address: string;
  blockedAt: string;
  blockedUntil: string;
}

export type CredentialKind = 'api-key' | 'basic' | 'header' | 'webhook';

export interface Credential {
  id: string;
  name: string;
  kind: CredentialKind;
  createdAt: string;
  updatedAt: string;
}
