import { domainToASCII } from 'node:url';
import { type FlowDefinition, flowDefinition } from '../../definition/flow-definition.js';
import { isJsonObject, type Json } from '../../engine/json.js';
import type { ForeignFlow } from './foreign-flow.js';
import { membersIn, wordIn } from './members.js';

type Access = NonNullable<FlowDefinition['access']>;

/** Reports a lost setting of a flow, as a sentence without a full stop. */
export type LeftOf = (why: string) => void;

/** A host that no page has (RFC 2606), so that a list which could not be read does not allow every page. */
const NO_PAGE = 'no-page.invalid';
const MOST_DOMAINS = 1_000;

/**
 * Returns the access rules of a flow (contract section 4). A rule that could not be converted closes the flow and is
 * reported, so that a protected flow never becomes open.
 */
export function movedAccess(flow: ForeignFlow, keys: { has(id: string): boolean }, left: LeftOf): Access {
  const { apiKeyId } = flow;
  if (apiKeyId !== undefined && !keys.has(apiKeyId))
    left(
      `it needs the API key ${apiKeyId.slice(0, 64)}, which was not imported: nobody can call it until it has another (access.apiKeyId)`,
    );
  return {
    apiKeyId: apiKeyId?.slice(0, 200) ?? null,
    public: flow.isPublic,
    allowedDomains: domainsOf(flow, left),
    rateLimit: rateLimitOf(flow, left),
  };
}

/** Returns the allowed pages as host patterns. In the other service an empty first entry allows every page. */
function domainsOf({ settings, broken }: ForeignFlow, left: LeftOf): string[] {
  if (broken.has('chatbotConfig')) {
    left('its chatbotConfig is no JSON, so that its allowed pages are not known: no page may call it');
    return [NO_PAGE];
  }
  const { allowedOrigins, allowedOriginsError } = settings.chatbotConfig;
  if (typeof allowedOriginsError === 'string' && allowedOriginsError.trim() !== '')
    left('allowedOriginsError, its own words for a page that is refused, have no place here');
  if (!Array.isArray(allowedOrigins) || allowedOrigins.length === 0 || isBlank(allowedOrigins[0])) return [];
  const named = allowedOrigins.filter((origin) => !isBlank(origin));
  const domains = new Set<string>();
  if (named.length > MOST_DOMAINS)
    left(`of its ${named.length} allowed pages only the first ${MOST_DOMAINS} came`);
  for (const origin of named.slice(0, MOST_DOMAINS)) {
    const domain = domainOf(origin);
    if (domain === undefined)
      left(`its allowed page ${JSON.stringify(origin).slice(0, 100)} is none that can be named here`);
    else domains.add(domain);
  }
  return domains.size > 0 ? [...domains] : [NO_PAGE];
}

/** Returns the host of an address: `shop.example.net:8443` for `https://shop.example.net:8443/x`. */
function domainOf(origin: Json): string | undefined {
  if (typeof origin !== 'string') return undefined;
  const text = origin.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const wild = address.replace('://*.', '://');
  if (!URL.canParse(wild)) return undefined;
  const { host, hostname } = new URL(wild);
  const domain = wild === address ? host : `*.${host}`;
  const isName = hostname !== '' && (hostname.startsWith('[') || domainToASCII(hostname) !== '');
  const { success } = flowDefinition.shape.access.safeParse({ allowedDomains: [domain] });
  return isName && success ? domain : undefined;
}

const isBlank = (value: Json | undefined): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

/** Returns the rate limit. The other editor writes both numbers as texts; the window is in seconds. */
function rateLimitOf({ settings, broken }: ForeignFlow, left: LeftOf): Access['rateLimit'] {
  if (broken.has('apiConfig')) left('its apiConfig is no JSON, so that its rate limit is not known');
  const given = membersIn(settings.apiConfig, 'rateLimit');
  if (given['status'] !== true) return null;
  const message = wordIn(given, 'limitMsg');
  const limit = {
    limit: Number(given['limitMax']),
    windowSeconds: Number(given['limitDuration']),
    ...(message === undefined ? {} : { message: message.slice(0, 1_000).toWellFormed() }),
  };
  const { success } = flowDefinition.shape.access.safeParse({ rateLimit: limit });
  if (success) return limit;
  left(
    `its rate limit of ${JSON.stringify(given['limitMax'] ?? null).slice(0, 40)} calls in ${JSON.stringify(given['limitDuration'] ?? null).slice(0, 40)} seconds is none`,
  );
  return null;
}

/** Returns the override settings of a flow; empty if callers may not override anything. */
export const overridesOf = ({ settings }: ForeignFlow): ReturnType<typeof membersIn> => {
  const given = membersIn(settings.apiConfig, 'overrideConfig');
  return given['status'] === true ? given : {};
};

/** Returns the names of the enabled entries in a list of settings. */
export const enabledIn = (list: Json | undefined): string[] =>
  (Array.isArray(list) ? list : []).flatMap((entry) => {
    const name = isJsonObject(entry) && entry['enabled'] === true ? wordIn(entry, 'name') : undefined;
    return name === undefined ? [] : [name];
  });
