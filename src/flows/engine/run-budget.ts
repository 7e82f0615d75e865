import type { Json } from './json.js';

/** More node runs than any sensible flow makes: an endless loop ends here. */
const MOST_NODE_RUNS = 10_000;

/** Characters of all outputs of a run together. Beyond, one run would fill the memory of the process for all. */
const MOST_OUTPUT = 64 * 1024 * 1024;

/** Characters that a run may hold while it waits for a human: each such run is a row that stays for days. */
const MOST_KEPT = 8 * 1024 * 1024;

/** Characters of the flow state of a chat, names and values: it is read before each of its runs and written after. */
export const MOST_STATE = 4 * 1024 * 1024;

/** Bounds a run together with all flows that it runs: its node runs, and the size of what they put out. */
export class RunBudget {
  private nodeRuns = 0;
  private output = 0;

  /** Before a node runs. Throws for one too many. */
  countNodeRun(): void {
    if (++this.nodeRuns > MOST_NODE_RUNS)
      throw new Error(`The flow ran ${MOST_NODE_RUNS} nodes without coming to an end. Bound its loop.`);
  }

  /** After a node ran. Throws where the outputs of the run are more than it may hold. */
  countOutput(output: Json): void {
    this.output += sizeOf(output);
    if (this.output > MOST_OUTPUT)
      throw new Error(
        `The nodes of this run put out more than ${MOST_OUTPUT} characters. Let them repeat less, over fewer items.`,
      );
  }

  /** Before a run waits. Throws where it would have to keep too much until it is answered. */
  checkKept(snapshot: Json): void {
    if (sizeOf(snapshot) > MOST_KEPT)
      throw new Error(
        `The run would have to keep more than ${MOST_KEPT} characters while it waits for a human. Let the nodes before put out less, or ask before them.`,
      );
  }
}

/**
 * Bounds the flow state that a chat keeps. A state that is too large already, of an earlier version, may shrink and stay as
 * it is: only what makes it larger is refused.
 */
export class StateRoom {
  private size: number | undefined;

  constructor(private readonly state: Readonly<Record<string, Json>>) {}

  /** Before a run that was given state by its caller. Throws where that is too much beside what the chat keeps. */
  requireFits(): void {
    const size = (this.size ??= sizeOf(this.state));
    if (size > MOST_STATE) throw tooMuchState(size, 'startState');
  }

  /** Before `name` gets this value. Throws where the state would grow beyond its bound. */
  take(name: string, value: Json): void {
    const before = Object.hasOwn(this.state, name) ? name.length + sizeOf(this.state[name]!) : 0;
    const size = this.size ?? sizeOf(this.state);
    const more = name.length + sizeOf(value) - before;
    if (more > 0 && size + more > MOST_STATE) throw tooMuchState(size + more, `"${name}"`);
    this.size = size + more;
  }
}

const tooMuchState = (size: number, by: string): Error =>
  new Error(
    `With ${by.slice(0, 100)} the flow state would hold ${size} characters; a chat keeps at most ${MOST_STATE}. Keep less of it; what the chat kept before stays.`,
  );

/** Characters of the texts within, and one for each other value. */
export function sizeOf(value: Json): number {
  if (typeof value === 'string') return value.length + 1;
  if (typeof value !== 'object' || value === null) return 1;
  let size = 1;
  for (const [name, inner] of Object.entries(value)) size += name.length + sizeOf(inner);
  return size;
}
