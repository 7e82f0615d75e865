/** Secrets by their form: keys of model providers and of this service, bearer tokens, keys in PEM. Bounded, so linear. */
const SECRET_VALUE =
  /\b(?:sk-|fk_|ak_|ghp_|xox[bp]-)[A-Za-z0-9_-]{8,}|\bBearer[ \t]{1,4}[A-Za-z0-9._~+/=-]{8,}|-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,20000}/gi;

/** A text in which `masked` stands in place of whatever looks like a secret; the very same where nothing does. */
export const withoutSecretValues = (text: string, masked: (match: string) => string): string =>
  mayHoldSecret(text) ? text.replace(SECRET_VALUE, masked) : text;

/** Whether something in a text looks like a secret by its form alone. */
export const holdsSecretValue = (text: string): boolean =>
  mayHoldSecret(text) && text.search(SECRET_VALUE) >= 0;

/** Cheap to ask, rarely true: most texts are never searched. */
const mayHoldSecret = (text: string): boolean =>
  text.includes('sk-') ||
  text.includes('k_') ||
  text.includes('earer ') ||
  text.includes('xox') ||
  text.includes('ghp_') ||
  text.includes('PRIVATE KEY');
