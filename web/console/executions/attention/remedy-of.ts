import type { ExecutionRecord } from '../../../../src/api/executions.js';

/** A step that an admin can take so that the next such call succeeds. */
export type Remedy = 'top-up' | 'lift' | 'limit' | 'key' | 'domains' | 'node';

const remedies: Readonly<Record<string, Remedy>> = {
  insufficient_credit: 'top-up',
  address_blocked: 'lift',
  rate_limited: 'limit',
  invalid_api_key: 'key',
  domain_not_allowed: 'domains',
  share_link_not_public: 'domains',
};

/** Returns the remedy of a refusal; undefined when only the caller can fix it. */
export function remedyOfRefusal(code: string | undefined, flowId: string | null): Remedy | undefined {
  if (code === undefined || !Object.hasOwn(remedies, code)) return undefined;
  const remedy = remedies[code]!;
  return flowId === null && remedy !== 'lift' && remedy !== 'top-up' ? undefined : remedy;
}

/** Returns the remedy; undefined when nothing is wrong or only the caller can fix it. */
export function remedyOf({ status, code, flowId, failedNode }: ExecutionRecord): Remedy | undefined {
  if (status === 'failed') return failedNode && flowId !== null ? 'node' : undefined;
  return status === 'rejected' ? remedyOfRefusal(code, flowId) : undefined;
}

/** Returns the host of a calling page, as the list of allowed domains takes it. */
export function domainOf(origin: string | undefined): string | undefined {
  if (origin === undefined || !URL.canParse(origin)) return undefined;
  return new URL(origin).hostname || undefined;
}
