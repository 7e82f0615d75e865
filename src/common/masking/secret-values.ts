/** Secrets by their form: keys of model providers and of this service, bearer tokens, PEM keys. Bounded, so linear. */
const SECRET_VALUE =
  /\b(?:sk-|fk_|ak_|ghp_|xox[bp]-)[A-Za-z0-9_-]{8,}|\bBearer[ \t]{1,4}[A-Za-z0-9._~+/=-]{8,}|-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,20000}/gi;

/** Replaces everything in a text that looks like a secret; returns the same string when nothing does. */
export const withoutSecretValues = (text: string, masked: (match: string) => string): string =>
  mayHoldSecret(text) ? text.replace(SECRET_VALUE, masked) : text;

/** Returns whether a part of a text looks like a secret. */
export const holdsSecretValue = (text: string): boolean =>
  mayHoldSecret(text) && text.search(SECRET_VALUE) >= 0;

/** A cheap test that spares most texts the search. */
const mayHoldSecret = (text: string): boolean =>
  text.includes('sk-') ||
  text.includes('k_') ||
  text.includes('earer ') ||
  text.includes('xox') ||
  text.includes('ghp_') ||
  text.includes('PRIVATE KEY');
