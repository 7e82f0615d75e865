import { z } from 'zod';
import { jsonObject, writtenFlow } from '../../api/flow-definition.js';
import { type DefinitionMember, FLOW_MEMBERS, type FlowSetting } from '../../api/flow-terms.js';
import type { AccessRules } from '../../api/flows.js';
import { chatMembers } from './chat-members.js';

/** Any members, stored unchanged; only those that this service reads are checked. */
const chat = jsonObject
  .check(({ value, issues }) => {
    const brand = chatMembers.shape.brand.safeParse(value['brand']);
    for (const { path, message } of brand.error?.issues ?? [])
      issues.push({ code: 'custom', input: value['brand'], path: ['brand', ...path], message });
  })
  .meta({
    type: 'object',
    properties: z.toJSONSchema(chatMembers, { io: 'input' }).properties,
    additionalProperties: true,
  });

/** The definition of a flow, checked as far as its schema goes. */
export const flowDefinition = writtenFlow.extend({
  chat: chat.optional().describe(writtenFlow.shape.chat.description ?? ''),
});

export type FlowDefinition = z.infer<typeof flowDefinition>;

/** The members of a flow that are part of a version. */
export type FlowContent = Pick<FlowDefinition, DefinitionMember>;

/** The members of a flow that take effect at once and are part of no version. */
export type FlowSettings = Pick<FlowDefinition, FlowSetting>;

export const contentOf = (flow: FlowDefinition): FlowContent => placed(flow, 'definition') as FlowContent;

export const settingsOf = (flow: FlowDefinition): FlowSettings => placed(flow, 'setting') as FlowSettings;

/** Every member has its place. */
const places: Readonly<Record<keyof FlowDefinition, 'identity' | 'setting' | 'definition'>> = FLOW_MEMBERS;

const placed = (flow: FlowDefinition, place: 'definition' | 'setting') =>
  Object.fromEntries(Object.entries(flow).filter(([name]) => places[name as keyof FlowDefinition] === place));

/** Returns the access rules with every default in place (contract section 4). */
export const accessOf = ({ access }: FlowDefinition): AccessRules => ({
  apiKeyId: access?.apiKeyId ?? null,
  allowedDomains: access?.allowedDomains ?? [],
  public: access?.public ?? false,
  rateLimit: access?.rateLimit ?? null,
});
