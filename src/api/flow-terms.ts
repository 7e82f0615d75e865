/**
 * The place of each member of a written flow (contract section 9, rules 13 and 14). The definition is versioned. Settings take effect at
 * once and are part of no version, so that no restore returns a revoked key.
 */
export const FLOW_MEMBERS = {
  id: 'identity',
  name: 'setting',
  description: 'setting',
  price: 'setting',
  account: 'setting',
  access: 'setting',
  openai: 'setting',
  mcp: 'setting',
  enabled: 'setting',
  callbackHosts: 'setting',
  webhookCredentialId: 'setting',
  exposeTrace: 'setting',
  vars: 'definition',
  overrides: 'definition',
  chat: 'definition',
  report: 'definition',
  notes: 'definition',
  nodes: 'definition',
  edges: 'definition',
} as const;

type Place = typeof FLOW_MEMBERS;

export type FlowSetting = {
  [Name in keyof Place]: Place[Name] extends 'setting' ? Name : never;
}[keyof Place];
export type DefinitionMember = {
  [Name in keyof Place]: Place[Name] extends 'definition' ? Name : never;
}[keyof Place];

/** Members of answers that the store adds to a definition; a client may send them back, and they are ignored. */
export const STORED_MEMBERS = [
  ...['revision', 'version', 'draft', 'isStreaming', 'createdAt', 'updatedAt', 'publishedAt'],
  ...['basedOn', 'by', 'note', 'errors', 'warnings', 'author'],
] as const;

const ADDRESS = 'a caller cannot choose the address of a model or its credential';

/** The faults of config values that no entry of `overrides` may name, by the last name of their path. */
export const NEVER_OVERRIDDEN: Readonly<Record<string, string>> = {
  flowId: 'a caller cannot choose which flow is run',
  model: ADDRESS,
  baseUrl: ADDRESS,
  credentialId: ADDRESS,
  tools: 'a caller cannot choose tools, which name flows, credentials and addresses',
};

/** A version of a flow by its number, or its draft. */
export type FlowVersionName = number | 'draft';
