/** The kinds of credentials. Pages read this file too, so it imports nothing. */
export const CREDENTIAL_KINDS = ['api-key', 'basic', 'header', 'webhook'] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];
