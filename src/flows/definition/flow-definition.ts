import type { z } from 'zod';
import { jsonObject, writtenFlow } from '../../api/flow-definition.js';
import type { AccessRules } from '../../api/flows.js';
import { brandSchema, chatBrand } from './chat-brand.js';

/** Any members, stored unchanged; only those that this service reads are checked. */
const chat = jsonObject
  .check(({ value, issues }) => {
    const brand = chatBrand.optional().safeParse(value['brand']);
    for (const { path, message } of brand.error?.issues ?? [])
      issues.push({ code: 'custom', input: value['brand'], path: ['brand', ...path], message });
  })
  .meta({ type: 'object', properties: { brand: brandSchema }, additionalProperties: true });

/** The definition of a flow, checked as far as its schema goes. */
export const flowDefinition = writtenFlow.extend({
  chat: chat.optional().describe(writtenFlow.shape.chat.description ?? ''),
});

export type FlowDefinition = z.infer<typeof flowDefinition>;

/** Members that are settings of the flow: an import that replaces a flow does not change them. */
const SETTINGS = [
  ...(['name', 'description', 'access', 'account', 'price', 'exposeTrace', 'callbackHosts'] as const),
  ...(['webhookCredentialId', 'openai'] as const),
] as const satisfies readonly (keyof FlowDefinition)[];

/** Returns a definition with the settings of the stored flow. */
export function withSettingsOf(definition: FlowDefinition, stored: FlowDefinition): FlowDefinition {
  const names: ReadonlySet<string> = new Set(SETTINGS);
  const [own, storedMembers] = [definition, stored].map(Object.entries) as [string, unknown][][];
  return Object.fromEntries([
    ...own!.filter(([name]) => !names.has(name)),
    ...storedMembers!.filter(([name]) => names.has(name)),
  ]) as FlowDefinition;
}

/** Returns the access rules with every default in place (contract section 4). */
export const accessOf = ({ access }: FlowDefinition): AccessRules => ({
  apiKeyId: access?.apiKeyId ?? null,
  allowedDomains: access?.allowedDomains ?? [],
  public: access?.public ?? false,
  rateLimit: access?.rateLimit ?? null,
});
