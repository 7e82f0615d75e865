import type { CredentialKind } from '../../../../src/api/credential-terms.js';

/** A field of a kind of credential; a `secret` one is masked. */
export interface CredentialField {
  name: string;
  label: string;
  secret: boolean;
  placeholder?: string;
}

interface KindOfCredential {
  name: string;
  hint: string;
  fields: readonly CredentialField[];
}

export const credentialKinds: Readonly<Record<CredentialKind, KindOfCredential>> = {
  'api-key': {
    name: 'API key',
    hint: 'For model providers. An HTTP node sends it as a bearer token.',
    fields: [{ name: 'apiKey', label: 'API key', secret: true }],
  },
  basic: {
    name: 'User name and password',
    hint: 'For HTTP nodes: basic authentication.',
    fields: [
      { name: 'username', label: 'User name', secret: false },
      { name: 'password', label: 'Password', secret: true },
    ],
  },
  header: {
    name: 'Header',
    hint: 'For HTTP nodes: one header with a secret value.',
    fields: [
      { name: 'name', label: 'Header name', secret: false, placeholder: 'X-Api-Key' },
      { name: 'value', label: 'Value', secret: true },
    ],
  },
  webhook: {
    name: 'Webhook secret',
    hint: 'Signs what a flow posts to a callbackUrl (Standard Webhooks).',
    fields: [{ name: 'secret', label: 'Secret', secret: true, placeholder: 'whsec_…' }],
  },
};

/** Returns the name of a kind of credential. */
export const kindName = (kind: CredentialKind): string =>
  Object.hasOwn(credentialKinds, kind) ? credentialKinds[kind].name : kind;

/** The form's text by field name, for all kinds at once, so that changing the kind loses nothing. */
export interface CredentialDraft {
  name: string;
  kind: CredentialKind;
  values: Readonly<Record<string, string>>;
}

export const draftOf = (of?: { name: string; kind: CredentialKind }): CredentialDraft => ({
  name: of?.name ?? '',
  kind: of?.kind ?? 'api-key',
  values: {},
});

/** Returns faults by the paths that the service uses (`name`, `data.apiKey`). Empty when the form can be sent. */
export function draftFaults({ name, kind, values }: CredentialDraft): Readonly<Record<string, string>> {
  const faults: Record<string, string> = {};
  if (name.trim() === '') faults['name'] = 'Enter a name.';
  for (const field of credentialKinds[kind].fields) {
    if ((values[field.name] ?? '') === '') faults[`data.${field.name}`] = 'Required.';
  }
  return faults;
}

export function bodyOf({ name, kind, values }: CredentialDraft) {
  const data = credentialKinds[kind].fields.map((field) => [field.name, values[field.name] ?? '']);
  return { name: name.trim(), kind, data: Object.fromEntries(data) as Record<string, string> };
}
