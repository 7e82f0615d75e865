/** Causes in the words of an admin, by the code of the refusal or failure. */
const names: Readonly<Record<string, string>> = {
  flow_failed: 'Runs failed',
  interrupted: 'Runs interrupted by a stop of the service',
  insufficient_credit: 'Not enough credit',
  domain_not_allowed: 'Calls from a website that is not allowed',
  share_link_not_public: 'Calls from a chat page that is not public',
  invalid_api_key: 'Missing or wrong API key',
  rate_limited: 'Rate limit reached',
  address_blocked: 'Calls from a blocked address',
  flow_not_found: 'Unknown flow id',
};

/** Returns the words of a cause; an unlisted code as words. */
export function causeName(code: string): string {
  if (Object.hasOwn(names, code)) return names[code]!;
  const words = code.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
