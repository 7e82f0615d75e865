import { textOfFile } from '../../common/texts/text-encoding.js';
import { isTextFile } from '../../common/texts/text-type.js';
import type { Json } from './json.js';
import type { ChatMessage, RunInput, Upload } from './node-kind.js';
import { textOf, valueAt } from './template.js';

/** The result of a node for later templates. */
export interface NodeOutput {
  output: Json;
  text: string;
}

/** References that need the chat's earlier messages, which are loaded only for these. */
export const HISTORY_NAMES: ReadonlySet<string> = new Set(['chat_history', 'runtime_messages_length']);

/** Members of `$flow` in templates. */
export const FLOW_NAMES: ReadonlySet<string> = new Set(
  'state chatId sessionId flowId executionId'.split(' '),
);

/**
 * The values of `{{…}}` in a run (contract section 9), except node outputs. Computed when a template needs them. Reads own
 * members only, whatever their name.
 */
export class RunScope {
  private history: readonly ChatMessage[] | undefined;
  private loading: Promise<void> | undefined;
  private uploadList: Json[] | undefined;

  constructor(
    private readonly run: RunInput,
    private readonly state: Record<string, Json>,
    private readonly now: () => number,
  ) {}

  /** Loads the earlier messages once. Await it before a template with `HISTORY_NAMES` is filled. */
  loadHistory(): Promise<void> {
    return (this.loading ??= this.run.history().then((messages) => {
      this.history = messages;
    }));
  }

  lookup(root: string, path: readonly string[]): Json | undefined {
    switch (root) {
      case '$flow':
        return this.flowValue(path);
      case '$vars':
        return path[0] === undefined ? undefined : valueAt(this.run.vars.get(path[0]), path.slice(1));
      case '$form':
        return valueAt(this.run.form, path);
      case 'uploads':
        return this.uploadValue(path);
      default:
        return path.length === 0 ? this.word(root) : undefined;
    }
  }

  private word(name: string): Json | undefined {
    switch (name) {
      case 'question':
        return this.run.question;
      case 'chat_history':
        return this.history?.map(({ role, content }) => `${role}: ${content}`).join('\n');
      case 'runtime_messages_length':
        return this.history?.length;
      case 'current_date_time':
        return new Date(this.now()).toISOString();
      case 'file_attachment':
        return attachedTexts(this.run.uploads);
      default:
        return undefined;
    }
  }

  private flowValue([name, ...rest]: readonly string[]): Json | undefined {
    switch (name) {
      case 'state':
        return valueAt(this.state, rest);
      case 'chatId':
      case 'sessionId':
      case 'flowId':
      case 'executionId':
        return rest.length === 0 ? this.run[name] : undefined;
      default:
        return undefined;
    }
  }

  private uploadValue(path: readonly string[]): Json | undefined {
    const [index, member] = path;
    if (member === 'data' && path.length === 2) return dataUri(this.run.uploads[Number(index)]);
    this.uploadList ??= this.run.uploads.map((upload) => ({
      type: upload.type,
      name: upload.name,
      mime: upload.mime,
      ...(upload.url === undefined ? {} : { url: upload.url }),
      ...(upload.bytes === undefined ? {} : { size: upload.bytes.byteLength }),
    }));
    return valueAt(this.uploadList, path);
  }
}

function dataUri(upload: Upload | undefined): string | undefined {
  if (upload?.bytes === undefined) return upload?.url;
  return `data:${upload.mime};base64,${Buffer.from(upload.bytes).toString('base64')}`;
}

/** Returns the text uploads as named documents for a model. */
export function attachedTexts(uploads: readonly Upload[]): string {
  return uploads
    .filter(({ type, mime, bytes }) => bytes && (type === 'file:full' || isTextFile(mime, bytes)))
    .map(({ name, bytes }) => `<doc name='${name}'>${textOfFile(bytes!)}</doc>`)
    .join('\n\n');
}

/** Returns the value of a reference to a node: its text, or a member of its output. */
export function nodeValue({ output, text }: NodeOutput, path: readonly string[]): Json | undefined {
  if (path.length === 0) return text;
  return path[0] === 'output' ? valueAt(output, path.slice(1)) : undefined;
}

/** Returns the text of a node's result: its own, or its output as text. */
export const resultText = (result: { output: Json; text?: string }): string =>
  result.text ?? textOf(result.output);
