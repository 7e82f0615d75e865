import { suggested } from '../../common/texts/nearest-name.js';
import { type Warning, Warnings } from '../../common/warnings.js';
import type { Flow } from '../../flows/definition/flow.js';
import { effectiveVars, pickOverrides } from '../../flows/definition/node-overrides.js';
import type { Json } from '../../flows/engine/json.js';
import type { ChatMessage } from '../../flows/engine/node-kind.js';
import type { FlowInput } from '../../flows/engine/run-options.js';
import { OVERRIDE_MEMBERS } from '../call/prediction-body.js';
import type { PredictionCall } from '../call/prediction-call.js';

/** State and history of the chat. */
export interface ChatContext {
  /** Stored state of the chat, if any. */
  state: Record<string, Json> | undefined;
  history: FlowInput['history'];
}

/** The input of the engine, with warnings for the caller. */
export interface PreparedInput {
  input: FlowInput;
  warnings: Warning[];
}

/**
 * Combines the caller's request, the flow's permissions and the chat's memory. A run that resumes after a human's
 * answer uses its first call.
 */
export function prepareInput(call: PredictionCall, chat: ChatContext): PreparedInput {
  const { apiCall, flow, body, resumes } = call;
  const { body: request, sessionId } = resumes?.first ?? call;
  const { vars, warnings } = effectiveVars(flow, request.vars);
  const { nodeOverrides, refused } = pickOverrides(flow.definition, request.otherOverrides);
  const input: FlowInput = {
    executionId: apiCall.executionId,
    flowId: flow.id,
    chatId: call.chatId,
    sessionId,
    caller: callerOf(call),
    question: request.question,
    uploads: request.uploads,
    vars,
    publicUrl: call.publicUrl,
    history: async (limit, onCut) => withBrought(request.history, await chat.history(limit, onCut), limit),
    // A resumed run has stored the caller's state when it began to wait.
    state: startingState(chat.state, resumes ? new Map() : request.startState),
    ...(request.startState.size === 0 ? {} : { bringsState: true }),
    ...(request.form === undefined ? {} : { form: request.form }),
    ...(call.apiKeyId === undefined ? {} : { apiKeyId: call.apiKeyId }),
    ...(nodeOverrides.size === 0 ? {} : { nodeOverrides }),
    ...(resumes === undefined || body.humanInput === undefined
      ? {}
      : { resume: { snapshot: resumes.snapshot, answer: body.humanInput } }),
  };
  const earlier = call.warnings ?? [];
  return { input, warnings: [...earlier, ...warnings, ...notOverridable(flow, refused)] };
}

/** Warns of overrides that the flow does not allow, except settings that published clients always send. */
function notOverridable({ definition }: Flow, refused: readonly string[]): Warning[] {
  const inputs = (definition.overrides ?? []).map((entry) => entry.slice(entry.indexOf('.') + 1));
  const known = [...OVERRIDE_MEMBERS, ...inputs];
  const warnings = new Warnings();
  for (const name of refused) warnings.addMade(() => notAllowed(name, known));
  return warnings.list();
}

function notAllowed(name: string, known: readonly string[]): Warning {
  const shown = name.slice(0, 80);
  return {
    code: 'override_not_allowed',
    message: `"${shown}" is not among the settings that callers of this flow may override: it was ignored.`,
    path: `overrideConfig.${shown}`,
    ...suggested(name, known),
  };
}

function startingState(stored: Record<string, Json> | undefined, given: ReadonlyMap<string, Json>) {
  const state = Object.assign(Object.create(null) as Record<string, Json>, stored);
  for (const [name, value] of given) state[name] = value;
  return state;
}

/** Puts the caller's messages before those of the chat. */
function withBrought(
  brought: readonly ChatMessage[],
  remembered: readonly ChatMessage[],
  limit: number | undefined,
): ChatMessage[] {
  const all = [...brought, ...remembered];
  return limit === undefined ? all : limit <= 0 ? [] : all.slice(-limit);
}

/** Returns the name under which a caller is budgeted: the checked key, else the address. */
export const callerOf = ({ apiKeyId, apiCall }: Pick<PredictionCall, 'apiKeyId' | 'apiCall'>): string =>
  apiKeyId === undefined ? `address:${apiCall.caller.address}` : `key:${apiKeyId}`;
