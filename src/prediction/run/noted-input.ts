import type { StoredRunFile } from '../../executions/calls/run-files.js';
import { recordText } from '../../executions/log/recorded-value.js';
import type { FlowDefinition } from '../../flows/definition/flow-definition.js';
import type { Json } from '../../flows/engine/json.js';
import type { ChatMessage, Upload } from '../../flows/engine/node-kind.js';
import type { PredictionCall } from '../call/prediction-call.js';

/** The input of a run besides what its record and its chat hold anyway, as plain JSON for the journal. */
export interface NotedInput {
  question?: string;
  sessionId?: string;
  form?: Record<string, Json>;
  vars?: [string, Json][];
  startState?: [string, Json][];
  overrides?: [string, Json][];
  brought?: { role: ChatMessage['role']; content: string }[];
  state?: Record<string, Json>;
  uploads?: NotedUpload[];
}

/** An upload; its bytes are in `data` (base64), in a blob, or with the photographs that the run captured. */
export type NotedUpload = {
  type: Upload['type'];
  name: string;
  mime: string;
  url?: string;
  messageId?: string;
  data?: string;
  blobKey?: string;
};

/** Takes the first file of this name out of a list. */
export function takeNamed(files: StoredRunFile[], wanted: string): StoredRunFile | undefined {
  const at = files.findIndex(({ name }) => name === wanted);
  return at < 0 ? undefined : files.splice(at, 1)[0];
}

/** Returns the members that the record does not hold, without uploads. */
export function plainInput(
  { body, sessionId, chatId }: PredictionCall,
  state: Record<string, Json> | undefined,
): Omit<NotedInput, 'uploads'> {
  const { question, form, vars, startState, otherOverrides, history } = body;
  return {
    ...(recordText(question) === question ? {} : { question }),
    ...(sessionId === chatId ? {} : { sessionId }),
    ...(form === undefined ? {} : { form }),
    ...(vars.size === 0 ? {} : { vars: [...vars] }),
    ...(startState.size === 0 ? {} : { startState: [...startState] }),
    ...(otherOverrides.size === 0 ? {} : { overrides: [...otherOverrides] }),
    ...(history.length === 0 ? {} : { brought: history.map((message) => ({ ...message })) }),
    ...(state === undefined || Object.keys(state).length === 0 ? {} : { state }),
  };
}

const CAPTURES = /"(?:kind|tool)":"capture"/;
const capturing = new WeakMap<FlowDefinition, boolean>();

/** Returns whether the flow may store the upload as a photograph of its inspection. */
export function isCaptured({ mime }: Upload, definition: FlowDefinition): boolean {
  if (!mime.startsWith('image/')) return false;
  let captures = capturing.get(definition);
  if (captures === undefined) {
    captures = CAPTURES.test(JSON.stringify(definition.nodes));
    capturing.set(definition, captures);
  }
  return captures;
}
