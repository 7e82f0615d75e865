import { chatMembers } from '../../flows/definition/chat-members.js';
import type { FlowDefinition } from '../../flows/definition/flow-definition.js';
import { isJsonObject, type Json } from '../../flows/engine/json.js';

type JsonObject = Record<string, Json>;

const { chatFeedback, leads, followUpPrompts, fullFileUpload, uploads } = chatMembers.shape;

/** Members of a flow's `chat` that the widget reads; nothing else of a flow is shown (contract section 7). */
const shown = { chatFeedback, leads, followUpPrompts, fullFileUpload };

const namesIn = (member: typeof uploads | (typeof shown)[keyof typeof shown]): string[] =>
  Object.keys(member.unwrap().shape);

/** The widget takes only pictures whose type and size are listed. */
const PICTURES = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
  'image/heic',
  'image/heif',
  'image/gif',
  'image/tiff',
];

/** Returns the configuration that chat clients read before they open. `maxPhotoMb` limits their pictures. */
export function chatbotConfig({ chat = {}, nodes }: FlowDefinition, maxPhotoMb: number): JsonObject {
  const config: JsonObject = {};
  for (const [name, member] of Object.entries(shown)) {
    const given = ownObject(chat, name);
    if (given) config[name] = pick(given, namesIn(member));
  }
  const prompts = starterPrompts(chat['starterPrompts']);
  if (prompts) config['starterPrompts'] = prompts;
  config['uploads'] = uploadsOf(ownObject(chat, 'uploads') ?? {}, maxPhotoMb);
  if (chat['isTTSEnabled'] === true) config['isTTSEnabled'] = true;
  config['flowData'] = JSON.stringify({ nodes: [{ id: 'start', data: startData(startOf({ nodes })) }] });
  return config;
}

/** Returns both lists in any case, since the widget fails over a missing one. */
function uploadsOf(given: JsonObject, maxPhotoMb: number): JsonObject {
  const pictures = given['imgUploadSizeAndTypes'] ?? [{ fileTypes: PICTURES, maxUploadSize: maxPhotoMb }];
  return {
    ...pick(given, namesIn(uploads)),
    imgUploadSizeAndTypes: given['isImageUploadAllowed'] === true ? pictures : [],
    fileUploadSizeAndTypes: given['fileUploadSizeAndTypes'] ?? [],
  };
}

const startOf = ({ nodes }: Pick<FlowDefinition, 'nodes'>): JsonObject =>
  nodes.find(({ kind }) => kind === 'start')?.config ?? {};

/** Returns true if a chat with the flow begins with a form. */
export const beginsWithForm = (definition: Pick<FlowDefinition, 'nodes'>): boolean =>
  startOf(definition)['inputType'] === 'form';

/** Returns Flowise's start node, by which the widget decides to show a form. */
function startData(start: JsonObject): JsonObject {
  if (start['inputType'] !== 'form') {
    return { name: 'startAgentflow', inputs: { startInputType: 'chatInput' } };
  }
  const form = ownObject(start, 'form') ?? {};
  const inputs = form['inputs'] ?? form['fields'];
  return {
    name: 'startAgentflow',
    inputs: {
      startInputType: 'formInput',
      formTitle: form['title'] ?? '',
      formDescription: form['description'] ?? '',
      formInputTypes: Array.isArray(inputs) ? inputs.filter(isJsonObject).map(formInput) : [],
    },
  };
}

function formInput(input: JsonObject): JsonObject {
  const options = input['addOptions'] ?? input['options'];
  const list = Array.isArray(options) ? options : [];
  return {
    ...pick(input, ['type', 'label', 'name']),
    ...(list.length === 0
      ? {}
      : { addOptions: list.map((option) => (isJsonObject(option) ? pick(option, ['option']) : { option })) }),
  };
}

/** Returns `{ n: { prompt } }`, from the same or from a list of texts. */
function starterPrompts(given: Json | undefined): JsonObject | undefined {
  if (given === undefined || given === null || typeof given !== 'object') return undefined;
  const prompts = Object.values(given).flatMap((item) => {
    const prompt = isJsonObject(item) ? item['prompt'] : item;
    return typeof prompt === 'string' ? [{ prompt }] : [];
  });
  return Object.fromEntries(prompts.map((prompt, index) => [String(index), prompt]));
}

function ownObject(object: JsonObject, name: string): JsonObject | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return isJsonObject(value) ? value : undefined;
}

const pick = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(object, name) ? [[name, object[name]!] as const] : [])),
  );
