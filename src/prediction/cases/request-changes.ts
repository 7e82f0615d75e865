import type { ChangedRequest } from '../../api/cases.js';
import type { TracedNode } from '../../api/executions.js';
import { recordedValue } from '../../executions/log/recorded-value.js';

/** The request of a node or of a tool call within it, as the trace records it: masked and truncated with its size. */
export interface RecordedRequest {
  node: string;
  visit: number;
  /** Flow of the node, if it is not the flow of the record. */
  flowId?: string;
  input: unknown;
}

/** Texts that differ in each run, such as the chat's id, and their common replacement. */
export interface OwnTexts {
  before: readonly string[];
  after: readonly string[];
}

const MOST_REQUESTS = 2_000;
const MOST_CHANGES = 50;
/** Characters of the changed values of a case that its result has whole: the view of a run has the results of all cases. */
const MOST_WHOLE = 16 * 1024;
const PREVIEW = 200;
/** A shorter id may be part of any text. */
const SHORTEST_ID = 6;
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Collects the requests of nodes whose calls are recorded. */
export class Requests {
  readonly list: RecordedRequest[] = [];

  /** `nodes` are the ids of nodes that make calls; undefined: any. */
  constructor(private readonly nodes?: ReadonlySet<string>) {}

  add({ nodeId, attempt, flowId, input }: Pick<TracedNode, 'nodeId' | 'attempt' | 'flowId' | 'input'>): void {
    const [id = ''] = nodeId.split('/');
    if (this.list.length >= MOST_REQUESTS || (this.nodes && !this.nodes.has(id))) return;
    this.list.push({
      node: nodeId,
      visit: attempt,
      input: recordedValue(input),
      ...(flowId === undefined ? {} : { flowId }),
    });
  }
}

/** Returns the ids of the nodes that make the calls at these paths of a journal. */
export const callingNodes = (paths: readonly string[]): Set<string> =>
  new Set(paths.flatMap((path) => [...path.matchAll(/(?:^|\/)([A-Za-z0-9_-]+)#\d+/g)].map(([, id]) => id!)));

/**
 * Returns the requests that differ from those of the source execution, by node and visit. Instants and ids of the run itself
 * do not count, nor the order of the items of an iteration, which may overlap.
 */
export function changedRequests(
  before: readonly RecordedRequest[],
  after: readonly RecordedRequest[],
  own: OwnTexts,
): ChangedRequest[] {
  const earlier = new Map(before.map((request) => [nameOf(request), request]));
  const plainBefore = (input: unknown) => plain(input, own.before);
  const plainAfter = (input: unknown) => plain(input, own.after);
  const left = new Map<string, string[]>();
  const differing: [RecordedRequest, RecordedRequest][] = [];
  for (const request of after) {
    const source = earlier.get(nameOf(request));
    if (!source || plainBefore(source.input) === plainAfter(request.input)) continue;
    differing.push([source, request]);
    const others = left.get(request.node) ?? [];
    left.set(request.node, [...others, plainBefore(source.input)]);
  }
  const changed = differing.filter(([, request]) => !take(left.get(request.node), plainAfter(request.input)));
  const shown = shortening();
  return changed.slice(0, MOST_CHANGES).map(([source, request]) => ({
    node: request.node,
    visit: request.visit,
    before: shown(source.input),
    after: shown(request.input),
  }));
}

/** Returns a function that shortens values once those before them have taken `MOST_WHOLE` characters. */
function shortening(): (input: unknown) => unknown {
  let left = MOST_WHOLE;
  return (input) => {
    const text = JSON.stringify(input) ?? '';
    if (text.length > left)
      return { truncated: true, size: text.length, preview: text.slice(0, PREVIEW).toWellFormed() };
    left -= text.length;
    return input;
  };
}

/** Removes an entry. Returns false if there is none. */
function take(list: string[] | undefined, wanted: string): boolean {
  const at = list?.indexOf(wanted) ?? -1;
  if (at >= 0) list!.splice(at, 1);
  return at >= 0;
}

const nameOf = ({ node, visit, flowId = '' }: RecordedRequest): string => `${flowId} ${node} ${visit}`;

function plain(input: unknown, ids: readonly string[]): string {
  let text = (JSON.stringify(input) ?? '').replaceAll(INSTANT, '<instant>');
  for (const id of ids) if (id.length >= SHORTEST_ID) text = text.replaceAll(id, '<id>');
  return text;
}
