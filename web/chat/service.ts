import { type Answer, jsonOf, type Progress, Unreachable } from './answer.js';
import { sendForm } from './send-form.js';

/** What chat clients are told about a flow. */
export interface ChatConfig {
  starterPrompts: string[];
  photographs: boolean;
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

/** The members of a prediction's body that this page sends. */
export interface Question {
  question: string;
  chatId: string;
  form?: Record<string, unknown>;
  humanInput?: { type: 'proceed' | 'reject'; startNodeId?: string; feedback?: string };
}

/** The service as this page sees it: one flow, every call marked as coming through the share link. */
export class FlowService {
  key: string | undefined;

  constructor(private readonly flowId: string) {}

  async config(): Promise<ChatConfig> {
    const answer = await this.call('GET', `public-chatbotConfig/${this.path}`);
    return readConfig(answer.status === 200 ? await jsonOf(answer) : {});
  }

  /** Asks for a stream that does not exist: the key is checked before that is found out, and nothing runs. */
  async opens(key: string): Promise<boolean> {
    const headers = { Authorization: `Bearer ${key}` };
    return (await this.call('GET', `prediction/${this.path}/stream`, { headers })).status !== 401;
  }

  /** Runs the flow. The answer to the same `idempotencyKey` is the same answer, and the flow runs once. */
  predict(
    question: Question,
    photographs: readonly File[],
    idempotencyKey: string,
    signal: AbortSignal,
    progress: Progress,
  ): Promise<Answer> {
    const path = `prediction/${this.path}`;
    const headers = { ...this.headers(), 'Idempotency-Key': idempotencyKey };
    if (photographs.length === 0) {
      const body = JSON.stringify({ ...question, streaming: true });
      const init = { headers: { ...headers, 'Content-Type': 'application/json' }, body, signal };
      return this.call('POST', path, init);
    }
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...question, streaming: 'true' }))
      form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
    for (const photograph of photographs) form.append('files', photograph, photograph.name);
    return sendForm(`/api/v1/${path}`, headers, form, signal, progress);
  }

  /** Goes on with a stream that broke off. */
  resume(lastEventId: string, signal: AbortSignal): Promise<Answer> {
    const headers = { 'Last-Event-ID': lastEventId, Accept: 'text/event-stream, application/json' };
    return this.call('GET', `prediction/${this.path}/stream`, { headers, signal });
  }

  async stop(chatId: string): Promise<void> {
    await this.call('PUT', `chatmessage/abort/${this.path}/${encodeURIComponent(chatId)}`);
  }

  private get path(): string {
    return encodeURIComponent(this.flowId);
  }

  private headers(): Record<string, string> {
    return {
      Accept: 'text/event-stream, application/json',
      'X-Share-Link': 'true',
      ...(this.key === undefined ? {} : { Authorization: `Bearer ${this.key}` }),
    };
  }

  private async call(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = { ...this.headers(), ...(init.headers as Record<string, string> | undefined) };
    const response = await fetch(`/api/v1/${path}`, { ...init, method, headers, cache: 'no-store' }).catch(
      unreachable,
    );
    return {
      status: response.status,
      header: (name) => response.headers.get(name),
      pieces: piecesOf(response),
    };
  }
}

function unreachable(error: unknown): never {
  throw new Unreachable('The service cannot be reached.', { cause: error });
}

async function* piecesOf({ body }: Response): AsyncGenerator<string> {
  if (!body) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(unreachable);
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    void drain(reader);
  }
}

/** Reads what is left of a body, so that its connection can be used again. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // It broke off: nothing is left.
  }
}

type Json = Record<string, unknown>;

const objectIn = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {};
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

function readConfig(config: Json): ChatConfig {
  const form = readForm(textIn(config['flowData']));
  return {
    starterPrompts: Object.values(objectIn(config['starterPrompts']))
      .map((item) => textIn(objectIn(item)['prompt']))
      .filter((prompt) => prompt !== ''),
    photographs: objectIn(config['uploads'])['isImageUploadAllowed'] === true,
    ...(form === undefined ? {} : { form }),
  };
}

/** A flow that begins with a form says so in its start node, the way the chat clients read it. */
function readForm(flowData: string): FormDescription | undefined {
  let nodes: unknown;
  try {
    nodes = objectIn(JSON.parse(flowData))['nodes'];
  } catch {
    return undefined;
  }
  const inputs = objectIn(objectIn(objectIn(Array.isArray(nodes) ? nodes[0] : {})['data'])['inputs']);
  const fields = inputs['formInputTypes'];
  if (inputs['startInputType'] !== 'formInput' || !Array.isArray(fields) || fields.length === 0)
    return undefined;
  return {
    title: textIn(inputs['formTitle']),
    text: textIn(inputs['formDescription']),
    fields: fields.map(objectIn).map(readField),
  };
}

function readField(field: Json): FormField {
  const options = field['addOptions'];
  return {
    name: textIn(field['name']),
    label: textIn(field['label']) || textIn(field['name']),
    type: textIn(field['type']),
    options: Array.isArray(options) ? options.map((option) => textIn(objectIn(option)['option'])) : [],
  };
}
