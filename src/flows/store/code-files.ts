import { dirname } from 'node:path';
import { type TextFile, textFileIn } from '../../storage/text-files.js';
import { isJsonObject } from '../engine/json.js';

/** A flow's file: its value with the code in place, all texts that were read, and the faults. */
interface FlowText {
  value: unknown;
  texts: string[];
  faults: string[];
}

/**
 * Replaces `code: { "files": ["words.js", "understand.js"] }` of a node in a flow's file by the text of these files, which
 * are in the flow's folder or below it.
 */
export async function withCodeOfFiles(value: unknown, file: TextFile): Promise<FlowText> {
  const found: FlowText = { value, texts: [file.text], faults: [] };
  if (!isJsonObject(value) || !Array.isArray(value['nodes'])) return found;
  const nodes: unknown[] = [];
  for (const [index, node] of value['nodes'].entries()) nodes.push(await withCode(node, index, file, found));
  return { ...found, value: { ...value, nodes } };
}

async function withCode(node: unknown, index: number, file: TextFile, found: FlowText): Promise<unknown> {
  const names = filesOf(node);
  if (!names || !isJsonObject(node) || !isJsonObject(node['config'])) return node;
  const texts: string[] = [];
  for (const name of names)
    await textFileIn(dirname(file.path), name).then(
      (text) => texts.push(text),
      (error: Error) => found.faults.push(`${file.path}: nodes.${index}.config.code: ${error.message}`),
    );
  found.texts.push(...texts);
  return { ...node, config: { ...node['config'], code: texts.join('\n') } };
}

function filesOf(node: unknown): string[] | undefined {
  const config = isJsonObject(node) ? node['config'] : undefined;
  const code = isJsonObject(config) ? config['code'] : undefined;
  const files = isJsonObject(code) ? code['files'] : undefined;
  const isList = Array.isArray(files) && files.every((name) => typeof name === 'string');
  return isList ? files : undefined;
}
