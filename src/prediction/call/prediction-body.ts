import { z } from 'zod';
import type { FlowVersionName } from '../../api/flow-terms.js';
import { withoutAbsent } from '../../common/bodies/absent-members.js';
import { faultsOf } from '../../common/plain-faults.js';
import { type Fault, InvalidRequest, ServiceError } from '../../common/service-error.js';
import { sentIdentifier } from '../../common/texts/identifier.js';
import type { HumanAnswer } from '../../flows/engine/human-question.js';
import { isJsonObject, type Json } from '../../flows/engine/json.js';
import type { ChatMessage, Upload } from '../../flows/engine/node-kind.js';
import { MOST_STATE, sizeOf } from '../../flows/engine/run-budget.js';
import { BrokenUpload, readUpload } from './upload-items.js';

/** Most bytes of UTF-8 in a question. */
export const LONGEST_QUESTION = 1024 * 1024;

const MOST_UPLOADS = 1_000;

/** Most characters of a human's comment on a decision, which every 409 about it repeats. */
const LONGEST_FEEDBACK = 65_536;

/** The body of a prediction, checked (description section 2.1, contract section 3). */
export interface PredictionBody {
  /** The question as sent, or the words that a form or a human's answer stands for. */
  question: string;
  /** The caller's session; absent for a new one without history. */
  chatId?: string;
  sessionId?: string;
  streaming: boolean;
  vars: ReadonlyMap<string, Json>;
  startState: ReadonlyMap<string, Json>;
  /** Other members of `overrideConfig`: candidates for node inputs, if the flow allows them. */
  otherOverrides: ReadonlyMap<string, Json>;
  uploads: readonly Upload[];
  form?: Record<string, Json>;
  /** Earlier messages sent by the caller. */
  history: readonly ChatMessage[];
  humanInput?: HumanInput;
  /** Execution whose answer this message follows; the last of the chat if absent. */
  after?: string;
  /** The version that a run from the console names, part of the call’s fingerprint. */
  version?: FlowVersionName;
  /** Address to which the end of an async run is posted. */
  callbackUrl?: string;
}

/** A human's answer; `startNodeId` is the `data.nodeId` of the action. */
export type HumanInput = HumanAnswer & { startNodeId: string };

type JsonObject = Record<string, Json>;

// Not z.record, which drops members named __proto__: they are ordinary names here.
const jsonObject = z.custom<JsonObject>(isJsonObject, 'must be an object');

/** Returns true for `true`, 1, "1" and "true" in any case. */
const isYes = (value: unknown): boolean =>
  value === true || value === 1 || (typeof value === 'string' && /^(?:1|true)$/i.test(value));

/** The body of a prediction. Other members are ignored. */
export const predictionSchema = z.object({
  question: z.string().optional(),
  chatId: sentIdentifier.optional(),
  overrideConfig: jsonObject.optional(),
  uploads: z.array(z.unknown()).max(MOST_UPLOADS, `must have at most ${MOST_UPLOADS} items`).optional(),
  streaming: z
    .unknown()
    .transform(isYes)
    .default(false)
    .meta({
      type: ['boolean', 'integer', 'string'],
      description: '`true`, `1`, `"1"` and `"true"` in any case; anything else is no.',
    }),
  form: jsonObject.optional(),
  history: z.array(jsonObject).max(10_000).optional(),
  humanInput: z
    .object({
      type: z.enum(['proceed', 'reject']),
      startNodeId: z.string().min(1).max(512),
      feedback: z.string().max(LONGEST_FEEDBACK).nullish(),
    })
    .optional(),
  leadEmail: z.string().max(1_000).optional(),
  callbackUrl: z.string().max(2_000).optional(),
});

type Given = z.infer<typeof predictionSchema>;

/**
 * Checks a parsed body. Unknown members are ignored. `files` are the files of a multipart body, which become uploads.
 * Throws 400 with the path of each fault, 413 `question_too_long`.
 */
export function checkPrediction(value: unknown, files: readonly Upload[] = []): PredictionBody {
  const parsed = predictionSchema.safeParse(withoutAbsent(value));
  if (!parsed.success) throw new InvalidRequest(faultsOf(parsed.error));
  const given = parsed.data;
  const question = given.question ?? impliedQuestion(given);
  if (Buffer.byteLength(question) > LONGEST_QUESTION)
    throw new ServiceError('question_too_long', 'The question is longer than 1 MiB. Shorten it.');
  const faults: Fault[] = [];
  const uploads = [...readUploads(given.uploads ?? [], faults), ...files];
  const overrides = readOverrides(given.overrideConfig, faults);
  const history = readHistory(given.history ?? [], faults);
  checkQuestion(given, uploads.length, faults);
  if (faults.length > 0) throw new InvalidRequest(faults.slice(0, 100));
  const chatId = given.chatId ?? overrides.sessionId;
  return {
    question,
    streaming: given.streaming,
    uploads,
    history,
    ...overrides,
    ...(chatId === undefined ? {} : { chatId }),
    ...(given.form === undefined ? {} : { form: given.form }),
    ...(given.callbackUrl === undefined ? {} : { callbackUrl: given.callbackUrl }),
    ...(given.humanInput === undefined ? {} : { humanInput: present(given.humanInput) }),
  };
}

function checkQuestion({ question, form, humanInput }: Given, uploads: number, faults: Fault[]): void {
  if (form !== undefined || humanInput !== undefined) return;
  if (question === undefined) faults.push({ path: 'question', message: 'is required' });
  else if (question === '' && uploads === 0)
    faults.push({ path: 'question', message: 'may be empty only beside uploads' });
}

/** Returns the words for a form or a click, for the chat's memory and the execution record. */
function impliedQuestion({ form, humanInput }: Given): string {
  if (humanInput) return humanInput.feedback || (humanInput.type === 'proceed' ? 'Proceed' : 'Reject');
  return Object.entries(form ?? {})
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

function readUploads(items: readonly unknown[], faults: Fault[]): Upload[] {
  return items.flatMap((item, index) => {
    try {
      return [readUpload(item, index)];
    } catch (error) {
      if (!(error instanceof BrokenUpload)) throw error;
      faults.push({ path: `uploads.${index}`, message: error.message });
      return [];
    }
  });
}

/** Members of `overrideConfig` that are no node inputs (contract section 3). */
export const OVERRIDE_MEMBERS: readonly string[] = ['vars', 'sessionId', 'startState'];

const sessionIdMember = sentIdentifier.optional();

function readOverrides(config: JsonObject = {}, faults: Fault[]) {
  const members = new Map(Object.entries(config));
  const vars = members.get('vars') ?? {};
  if (!isJsonObject(vars)) faults.push({ path: 'overrideConfig.vars', message: 'must be an object' });
  const named = members.get('sessionId') ?? '';
  const sessionId = sessionIdMember.safeParse(named === '' ? undefined : named);
  if (!sessionId.success) {
    const [fault] = faultsOf(sessionId.error);
    faults.push({ path: 'overrideConfig.sessionId', message: fault?.message ?? 'is not valid' });
  }
  return {
    vars: new Map(isJsonObject(vars) ? Object.entries(vars) : []),
    startState: readStartState(members.get('startState'), faults),
    otherOverrides: new Map([...members].filter(([name]) => !OVERRIDE_MEMBERS.includes(name))),
    ...(sessionId.data === undefined ? {} : { sessionId: sessionId.data }),
  };
}

/** Reads an object, or a list of `{ key, value }` as Flowise clients send it. */
function readStartState(value: Json | undefined, faults: Fault[]): Map<string, Json> {
  if (value === undefined || value === null) return new Map();
  if (sizeOf(value) > MOST_STATE)
    faults.push({
      path: 'overrideConfig.startState',
      message: `is too large: a chat keeps at most ${MOST_STATE} characters of state`,
    });
  if (isJsonObject(value)) return new Map(Object.entries(value));
  const pairs = Array.isArray(value)
    ? value.map((item): [string, Json] | undefined =>
        isJsonObject(item) && typeof item['key'] === 'string'
          ? [item['key'], item['value'] ?? '']
          : undefined,
      )
    : [undefined];
  if (pairs.includes(undefined))
    faults.push({ path: 'overrideConfig.startState', message: 'must be an object: name → value' });
  return new Map(pairs.filter((pair) => pair !== undefined));
}

const speakers: Readonly<Record<string, ChatMessage['role']>> = {
  user: 'user',
  userMessage: 'user',
  assistant: 'assistant',
  apiMessage: 'assistant',
};

/** Reads messages as Flowise clients send them: `role` or `type`, `content` or `message`. */
function readHistory(items: readonly JsonObject[], faults: Fault[]): ChatMessage[] {
  return items.flatMap((item, index): ChatMessage[] => {
    const speaker = item['role'] ?? item['type'];
    const content = item['content'] ?? item['message'];
    const role =
      typeof speaker === 'string' && Object.hasOwn(speakers, speaker) ? speakers[speaker] : undefined;
    if (role !== undefined && typeof content === 'string') return content === '' ? [] : [{ role, content }];
    faults.push({ path: `history.${index}`, message: 'must have role (user, assistant) and content' });
    return [];
  });
}

const present = ({ type, startNodeId, feedback }: NonNullable<Given['humanInput']>): HumanInput => ({
  type,
  startNodeId,
  ...(typeof feedback === 'string' ? { feedback } : {}),
});
