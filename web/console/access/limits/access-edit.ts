import type { AccessRules } from '../../../../src/api/flows.js';

/** Names of the members of `access` for messages. */
export const accessNames = {
  rateLimit: 'the rate limit',
  apiKeyId: 'the API key',
  allowedDomains: 'the allowed domains',
  public: 'the public link',
} as const satisfies Record<keyof AccessRules, string>;

const members = Object.keys(accessNames) as (keyof AccessRules)[];

/** Compares values ignoring the order of members and members that are undefined. */
const same = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other);

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}

/**
 * Merges three ways: the form was opened on `base` and says `mine`, and the flow now has `theirs`. Returns my changes
 * applied to theirs; `conflicts` names the members that both sides changed differently.
 */
export function mergeAccess(
  base: AccessRules,
  mine: AccessRules,
  theirs: AccessRules,
): { access: AccessRules; conflicts: (keyof AccessRules)[] } {
  const changed = members.filter((name) => !same(base[name], mine[name]));
  const conflicts = changed.filter(
    (name) => !same(base[name], theirs[name]) && !same(mine[name], theirs[name]),
  );
  const own = Object.fromEntries(changed.map((name) => [name, mine[name]]));
  return { access: { ...theirs, ...own }, conflicts };
}

/** The text of the form. */
export interface AccessDraft {
  limited: boolean;
  limit: string;
  windowSeconds: string;
  message: string;
  /** Empty for none. */
  apiKeyId: string;
  domains: string;
  public: boolean;
}

export const draftOfAccess = ({
  rateLimit,
  apiKeyId,
  allowedDomains,
  ...access
}: AccessRules): AccessDraft => ({
  limited: rateLimit !== null,
  limit: String(rateLimit?.limit ?? 60),
  windowSeconds: String(rateLimit?.windowSeconds ?? 60),
  message: rateLimit?.message ?? '',
  apiKeyId: apiKeyId ?? '',
  domains: allowedDomains.join('\n'),
  public: access.public,
});

/** Adds a domain to the allowed ones. A flow without any allows every website and stays so. */
export function withDomain(draft: AccessDraft, domain: string | undefined): AccessDraft {
  const listed = draft.domains.split(/[\s,]+/).filter((one) => one !== '');
  if (domain === undefined || listed.length === 0 || listed.includes(domain)) return draft;
  return { ...draft, domains: [...listed, domain].join('\n') };
}

export type DraftFaults = Partial<Record<'limit' | 'windowSeconds' | 'message' | 'domains', string>>;

/** Returns the rules of the form, or its faults. Domains are checked by the service. */
export function readAccess(draft: AccessDraft): { access: AccessRules } | { faults: DraftFaults } {
  const limit = wholeNumber(draft.limit, 1_000_000);
  const windowSeconds = wholeNumber(draft.windowSeconds, 31_536_000);
  const faults: DraftFaults = draft.limited
    ? {
        ...(limit === undefined ? { limit: 'Enter a whole number from 1 to 1,000,000.' } : {}),
        ...(windowSeconds === undefined
          ? { windowSeconds: 'Enter whole seconds from 1 to 31,536,000.' }
          : {}),
        ...(draft.message.length > 1_000 ? { message: 'At most 1,000 characters.' } : {}),
      }
    : {};
  if (Object.keys(faults).length > 0) return { faults };
  const message = draft.message.trim();
  const rateLimit: AccessRules['rateLimit'] = draft.limited
    ? { limit: limit!, windowSeconds: windowSeconds!, ...(message === '' ? {} : { message }) }
    : null;
  return {
    access: {
      rateLimit,
      apiKeyId: draft.apiKeyId === '' ? null : draft.apiKeyId,
      allowedDomains: draft.domains.split(/[\s,]+/).filter((domain) => domain !== ''),
      public: draft.public,
    },
  };
}

function wholeNumber(text: string, most: number): number | undefined {
  const typed = text.trim();
  const value = Number(typed);
  return /^\d{1,9}$/.test(typed) && value >= 1 && value <= most ? value : undefined;
}

/** Returns the field for a fault of the service: `access.allowedDomains.2` → `domains`. */
export function fieldOfFault(path: string): keyof DraftFaults | undefined {
  if (path.startsWith('access.allowedDomains')) return 'domains';
  const [, name] = /^access\.rateLimit\.(limit|windowSeconds|message)$/.exec(path) ?? [];
  return name as keyof DraftFaults | undefined;
}
