import { type Json, listIn, objectIn, textIn } from '../../common/answer.js';
import { LARGEST_BYTES, MOST_PHOTOGRAPHS, type PhotographLimits } from '../photographs/photograph.js';

/** The public configuration of a flow for chat clients. */
export interface ChatConfig {
  starterPrompts: string[];
  /** The limits on photographs; absent when the flow accepts none. */
  photographs?: PhotographLimits;
  form?: FormDescription;
}

export interface FormDescription {
  title: string;
  text: string;
  fields: FormField[];
}

export interface FormField {
  name: string;
  label: string;
  type: string;
  options: string[];
}

export function readConfig(value: unknown): ChatConfig {
  const config = objectIn(value);
  const photographs = readLimits(objectIn(config['uploads']));
  const form = readForm(textIn(config['flowData']));
  return {
    starterPrompts: Object.values(objectIn(config['starterPrompts']))
      .map((item) => textIn(objectIn(item)['prompt']))
      .filter((prompt) => prompt !== ''),
    ...(photographs === undefined ? {} : { photographs }),
    ...(form === undefined ? {} : { form }),
  };
}

function readLimits(uploads: Json): PhotographLimits | undefined {
  if (uploads['isImageUploadAllowed'] !== true) return undefined;
  const megabytes = listIn(uploads['imgUploadSizeAndTypes'])
    .map((rule) => Number(objectIn(rule)['maxUploadSize']))
    .filter((size) => size > 0);
  const largest = megabytes.length > 0 ? Math.max(...megabytes) * 1024 * 1024 : LARGEST_BYTES;
  return { most: MOST_PHOTOGRAPHS, largestBytes: Math.min(LARGEST_BYTES, largest) };
}

/** Reads the form from the flow's start node, as chat clients do. */
function readForm(flowData: string): FormDescription | undefined {
  const inputs = objectIn(objectIn(objectIn(listIn(parsed(flowData)['nodes'])[0])['data'])['inputs']);
  const fields = listIn(inputs['formInputTypes']);
  if (inputs['startInputType'] !== 'formInput' || fields.length === 0) return undefined;
  return {
    title: textIn(inputs['formTitle']),
    text: textIn(inputs['formDescription']),
    fields: fields.map(objectIn).map(readField),
  };
}

function parsed(text: string): Json {
  try {
    return objectIn(JSON.parse(text));
  } catch {
    return {};
  }
}

const readField = (field: Json): FormField => ({
  name: textIn(field['name']),
  label: textIn(field['label']) || textIn(field['name']),
  type: textIn(field['type']),
  options: listIn(field['addOptions']).map((option) => textIn(objectIn(option)['option'])),
});
