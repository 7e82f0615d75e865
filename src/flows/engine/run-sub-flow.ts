import type { FlowRun } from './flow-run.js';
import type { Json } from './json.js';
import type { RunEvent, RunResult } from './run-event.js';
import type { FlowInput } from './run-options.js';
import { RUN_IS_OVER, type SubFlow, SubFlowFailed, type SubFlowResult, type Within } from './within.js';

/** The node that runs a sub-flow. */
interface SubFlowPlace {
  nodeId: string;
  path: string;
  runId: string;
  isLeaf: boolean;
  /** The id of the sub-flow's own chat, the same in each attempt of the run. */
  ownChat: string;
}

const MOST_DEPTH = 8;

/**
 * Runs a flow as a part of a run. Its nodes are in the same trace below the node that runs it, and its effects in the same
 * journal. It has no charge, key or chat lock of its own. Rejects with `SubFlowFailed`.
 */
export function runSubFlow(outer: FlowRun, sub: SubFlow, place: SubFlowPlace): Promise<SubFlowResult> {
  const names = [...(outer.options.within?.names ?? []), sub.name];
  if (names.length > MOST_DEPTH) throw new Error(tooDeep(names));
  const same = sub.chat === 'same';
  const before = same ? structuredClone({ ...outer.chatState }) : {};
  const within: Within = {
    path: place.path,
    names,
    revision: sub.revision,
    secrets: outer.secrets,
    budget: outer.budget,
    ...(same ? { state: outer.state, chatState: outer.chatState, stateBudget: outer.stateBudget } : {}),
  };
  return new Promise((resolve, reject) => {
    const onEvent = (event: RunEvent): void => {
      switch (event.type) {
        case 'finished':
          return resolve(resultOfRun(event.result, same ? before : undefined));
        case 'failed':
          return reject(new SubFlowFailed(sub.name, event.failure));
        case 'waiting':
          return reject(
            new Error(`The flow "${sub.name}" asks a human. Only a flow that is called itself can wait.`),
          );
        case 'aborted':
          return reject(RUN_IS_OVER);
        default:
          return hear(outer, event, sub, place);
      }
    };
    const { signal, options } = outer;
    outer
      .runFlow(sub.graph, outer.kinds, inputOf(outer.input, sub, place), { ...options, signal, within })
      .subscribe(onEvent);
  });
}

const tooDeep = (names: readonly string[]): string =>
  `Flows run each other more than ${MOST_DEPTH} levels deep (${names.join(' → ')}). Remove one of these calls.`;

/** Returns the input of a sub-flow: that of the call with another question, without its form and node overrides. */
function inputOf(outer: FlowInput, sub: SubFlow, { ownChat }: SubFlowPlace): FlowInput {
  const { form: _form, nodeOverrides: _overrides, resume: _resume, secrets: _secrets, ...call } = outer;
  const input = { ...call, question: sub.question, vars: sub.vars };
  if (sub.chat === 'same') return input;
  return { ...input, chatId: ownChat, sessionId: ownChat, state: {}, history: () => Promise.resolve([]) };
}

function hear(outer: FlowRun, event: RunEvent, { flowId, token }: SubFlow, place: SubFlowPlace): void {
  switch (event.type) {
    case 'node-started':
    case 'node-ended':
    case 'call-started':
    case 'call-ended':
      return outer.adopt({ ...event, run: { flowId, parent: place.runId, ...event.run } });
    case 'token':
      return token?.(event.text);
    case 'thinking':
      return place.isLeaf ? outer.emit(event) : undefined;
    case 'usage':
      return outer.addUsage(place.nodeId, event.usage);
    default:
      return outer.emit(event);
  }
}

/** Returns the result for the journal, with only the changed state. */
function resultOfRun(result: RunResult, before: Record<string, Json> | undefined): SubFlowResult {
  const { text, json, state, followUpPrompts, warnings, tokens } = result;
  const changed = Object.entries(before ? state : {}).filter(
    ([name, value]) => JSON.stringify(before?.[name]) !== JSON.stringify(value),
  );
  return {
    text,
    state: Object.fromEntries(changed),
    warnings,
    ...(json === undefined ? {} : { json }),
    ...(followUpPrompts === undefined ? {} : { followUpPrompts }),
    ...(tokens === undefined ? {} : { tokens }),
  };
}
