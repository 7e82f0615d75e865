/** Returns the value of a header and its secret parts: the token of `Bearer`, the pair of `Basic`, each cookie. */
export function secretParts(name: string, value: string): string[] {
  const [scheme = '', ...rest] = value.trim().split(' ');
  const credential = rest.join(' ').trim();
  const parts = [value.trim(), credential];
  if (scheme.toLowerCase() === 'basic') {
    const pair = Buffer.from(credential, 'base64').toString('utf8');
    parts.push(pair, pair.slice(pair.indexOf(':') + 1));
  }
  const isCookie = name.toLowerCase().includes('cookie');
  for (const cookie of isCookie ? value.split(';') : []) {
    const at = cookie.indexOf('=');
    if (at > 0) parts.push(cookie.slice(at + 1).trim());
  }
  return parts.filter((part) => part !== '');
}
