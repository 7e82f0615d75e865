import { isJsonObject, type Json } from '../../engine/json.js';
import type { LeftOf } from './access-settings.js';
import type { ForeignFlow } from './foreign-flow.js';
import { membersIn, type Members, wordIn } from './members.js';

/** Settings that become part of `access`, or have no counterpart. */
const ELSEWHERE = new Set(['allowedOrigins', 'allowedOriginsError', 'postProcessing', 'brand', 'uploads']);

/** The uploads that the other service accepts if a model of the flow may see pictures; the size is in megabytes. */
const PICTURES: Members = {
  isImageUploadAllowed: true,
  imgUploadSizeAndTypes: [
    { fileTypes: ['image/gif', 'image/jpeg', 'image/png', 'image/webp'], maxUploadSize: 5 },
  ],
};

/** Returns the settings for chat clients (contract section 7) with the look of the chat window. */
export function movedChat({ settings, graph }: ForeignFlow, nodes: readonly Json[]): Members {
  const given = settings.chatbotConfig;
  const members = Object.entries(given).filter(([name, value]) => !ELSEWHERE.has(name) && value !== null);
  const colour = wordIn(given, 'titleBackgroundColor');
  const isColour = colour !== undefined && /^#[0-9a-f]{6}$/i.test(colour);
  const seesPictures = graph.includes('allowImageUploads') && nodes.some(allowsPictures);
  return {
    ...Object.fromEntries(members),
    ...(isColour ? { brand: { colour } } : {}),
    ...(seesPictures ? { uploads: PICTURES } : {}),
  };
}

/** Returns whether a value allows image uploads. The recursion is bounded by the depth of JSON from outside. */
const allowsPictures = (value: Json): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ((isJsonObject(value) && value['allowImageUploads'] === true) || Object.values(value).some(allowsPictures));

/** Reports enabled settings that have no counterpart here. */
export function reportLostSettings(
  { settings, broken, hasWebhookSecret, category }: ForeignFlow,
  left: LeftOf,
): void {
  for (const name of broken) left(`its ${name} is no JSON object`);
  const post = membersIn(settings.chatbotConfig, 'postProcessing');
  if (post['enabled'] === true) left('postProcessing: code that changes each answer has no place here');
  reportProviders(settings.speechToText, 'speechToText: spoken questions are not transcribed here', left);
  reportProviders(settings.textToSpeech, 'textToSpeech: answers are not spoken here', left);
  reportProviders(settings.analytic, 'analytic: runs are not reported to another service here', left);
  if (isOn(settings.followUpPrompts))
    left('followUpPrompts: no model makes follow-up questions here; a reply node has choices');
  if (settings.mcpServerConfig['enabled'] === true)
    left('mcpServerConfig: the flow as a tool of an MCP server, with a token of its own');
  if (hasWebhookSecret) left('webhookSecret: no webhook starts a flow here');
  if (category !== undefined) left('category: flows have none here');
}

const isOn = (settings: Members): boolean => settings['status'] === true || settings['enabled'] === true;

function reportProviders(providers: Members, why: string, left: LeftOf): void {
  const used = Object.keys(providers).filter((name) => name !== 'none' && isOn(membersIn(providers, name)));
  if (used.length > 0) left(`${why} (${used.map((name) => name.slice(0, 60)).join(', ')})`);
}
