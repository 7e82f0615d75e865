import { type Warning, Warnings } from '../common/warnings.js';
import { suggested } from '../common/nearest-name.js';
import type { Flow } from '../flows/definition/flow.js';
import { pickOverrides } from '../flows/definition/node-overrides.js';
import type { FlowInput } from '../flows/engine/flow-run.js';
import type { Json } from '../flows/engine/json.js';
import type { ChatMessage } from '../flows/engine/node-kind.js';
import { waitingNodes } from '../flows/engine/snapshot.js';
import type { PredictionCall } from './prediction-call.js';

/** What the chat brings to a run. */
export interface ChatContext {
  /** The state that the chat kept, if it kept any. */
  state: Record<string, Json> | undefined;
  history(limit?: number): Promise<ChatMessage[]>;
}

/** What the engine is given, and what the caller must be told about it. */
export interface PreparedInput {
  input: FlowInput;
  warnings: Warning[];
}

/** Puts together what the caller sent, what the flow allows of it, and what the chat remembers. */
export function prepareInput(call: PredictionCall, chat: ChatContext): PreparedInput {
  const { apiCall, flow, body, resumes } = call;
  const { vars, warnings } = effectiveVars(flow, body.vars);
  const { nodeOverrides, refused } = pickOverrides(flow.definition, body.otherOverrides);
  const input: FlowInput = {
    executionId: apiCall.executionId,
    flowId: flow.id,
    chatId: call.chatId,
    sessionId: call.sessionId,
    caller: call.apiKeyId === undefined ? `address:${apiCall.caller.address}` : `key:${call.apiKeyId}`,
    question: body.question,
    uploads: body.uploads,
    vars,
    publicUrl: call.publicUrl,
    history: (limit) => withBrought(body.history, chat, limit),
    state: startingState(chat.state, body.startState),
    ...(body.form === undefined ? {} : { form: body.form }),
    ...(call.apiKeyId === undefined ? {} : { apiKeyId: call.apiKeyId }),
    ...(nodeOverrides.size === 0 ? {} : { nodeOverrides }),
    ...(resumes === undefined || body.humanInput === undefined
      ? {}
      : {
          resume: resumes.snapshot,
          humanInput: { startNodeId: waitingNodes(resumes.snapshot)[0] ?? '', ...body.humanInput },
        }),
  };
  return { input, warnings: [...warnings, ...notOverridable(flow, refused)] };
}

/** Published clients send settings of their own beside: those that no flow could mean are not worth a word. */
function notOverridable({ definition }: Flow, refused: readonly string[]): Warning[] {
  const known = (definition.overrides ?? []).map((entry) => entry.slice(entry.indexOf('.') + 1));
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

/** The flow's variables with the caller's values over them; a `locked` one stays and is named (contract section 3). */
export function effectiveVars(
  flow: Pick<Flow, 'definition'>,
  given: ReadonlyMap<string, Json>,
): { vars: Map<string, Json>; warnings: Warning[] } {
  const declared = new Map(Object.entries(flow.definition.vars ?? {}));
  const vars = new Map<string, Json>();
  for (const [name, { value }] of declared) vars.set(name, value);
  const warnings: Warning[] = [];
  for (const [name, value] of given) {
    if (declared.get(name)?.locked) {
      warnings.push({
        code: 'variable_locked',
        message: `The variable "${name.slice(0, 80)}" is locked by the flow: the value sent for it was ignored.`,
        path: `overrideConfig.vars.${name.slice(0, 80)}`,
      });
    } else vars.set(name, value);
  }
  return { vars, warnings };
}

function startingState(kept: Record<string, Json> | undefined, given: ReadonlyMap<string, Json>) {
  const state = Object.assign(Object.create(null) as Record<string, Json>, kept);
  for (const [name, value] of given) state[name] = value;
  return state;
}

/** Messages that the caller brought stand before those that the chat remembers. */
async function withBrought(
  brought: readonly ChatMessage[],
  chat: ChatContext,
  limit: number | undefined,
): Promise<ChatMessage[]> {
  const all = [...brought, ...(await chat.history(limit))];
  return limit === undefined ? all : limit <= 0 ? [] : all.slice(-limit);
}
