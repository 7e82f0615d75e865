import type { FlowRun } from './flow-run.js';
import type { Json } from './json.js';
import type { RunEvent, RunResult } from './run-event.js';
import type { FlowInput } from './run-options.js';
import { RUN_IS_OVER, type SubFlow, SubFlowFailed, type SubFlowResult, type Within } from './within.js';

/** The node that runs it. */
export interface SubFlowPlace {
  nodeId: string;
  path: string;
  runId: string;
  isLeaf: boolean;
  /** The chat of a sub-flow that has its own: the same on each attempt of the run. */
  ownChat: string;
}

const MOST_DEPTH = 8;

/**
 * Runs a flow as a part of a run: its nodes stand in the same trace under the node that runs it, its effects in the same
 * journal. It takes no credit, key or turn of its own. Rejects with `SubFlowFailed`.
 */
export function runSubFlow(outer: FlowRun, sub: SubFlow, place: SubFlowPlace): Promise<SubFlowResult> {
  const names = [...(outer.options.within?.names ?? []), sub.name];
  if (names.length > MOST_DEPTH) throw new Error(tooDeep(names));
  const same = sub.chat === 'same';
  const before = same ? structuredClone({ ...outer.state }) : {};
  const within: Within = {
    path: place.path,
    names,
    revision: sub.revision,
    secrets: outer.secrets,
    budget: outer.budget,
    ...(same ? { state: outer.state, stateBudget: outer.stateBudget } : {}),
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
  `Flows run one another more than ${MOST_DEPTH} deep (${names.join(' → ')}). Let one of them end without running the next.`;

/** The call as it is, with another question; what its caller set of single nodes, and its form, are not the sub-flow's. */
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

/** Of its state only what changed: the journal keeps it. */
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
