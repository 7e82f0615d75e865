import { Budget, declareBudget } from '../../common/budgets/budget.js';
import type { Json } from './json.js';

/** More node runs than any sensible flow makes: an endless loop ends here. */
const MOST_NODE_RUNS = 10_000;

const MEGABYTE = 1024 * 1024;

/** Bytes of all outputs of a run together. */
const MOST_OUTPUT = 64 * MEGABYTE;

const heldByCallers = new Budget(
  declareBudget({
    name: 'state, messages, outputs and answers of the runs of a caller',
    unit: 'bytes',
    owner: 'caller',
    share: 1.5 * MOST_OUTPUT,
    beyond: 'the node fails with a sentence',
    reason: 'One run of the largest size, with its answer: no caller takes all that a flow may hold.',
  }),
);

const heldByFlows = new Budget(
  declareBudget({
    name: 'state, messages, outputs and answers of runs under way',
    unit: 'bytes',
    owner: 'flow',
    share: 3 * MOST_OUTPUT,
    total: 4 * MOST_OUTPUT,
    beyond: 'the node fails with a sentence',
    reason:
      'They stay readable until the run ends. Two callers with the largest run each; an ordinary run holds some kilobytes.',
  }),
);

/** Bytes of a run that are not charged: an ordinary run pays nothing. */
const FREE_BYTES = 16 * 1024;

/** Bytes that a value of JSON takes in memory beside its text. */
const BYTES_OF_VALUE = 32;

/** Characters that a run may hold while it waits for a human: each such run is a row that stays for days. */
const MOST_SNAPSHOT = 8 * MEGABYTE;

/** Characters of the flow state of a chat, names and values: it is read before each of its runs and written after. */
export const MOST_STATE = 4 * MEGABYTE;

/** Those to whom the memory of a run is charged; runs without a caller share one. */
export interface RunOwner {
  flowId: string;
  caller?: string;
}

/** Bounds a run together with all flows that it runs: its node runs, and the size of what they put out. */
export class RunBudget {
  private nodeRuns = 0;
  private output = 0;
  private messages = 0;
  private held = 0;
  private charged = FREE_BYTES;
  private readonly charges: (() => void)[] = [];

  constructor(private readonly owner: RunOwner) {}

  /** Before a node runs. Throws for one too many. */
  countNodeRun(): void {
    if (++this.nodeRuns > MOST_NODE_RUNS)
      throw new Error(`The flow ran ${MOST_NODE_RUNS} nodes without coming to an end. Bound its loop.`);
  }

  /** Charges the output of a node. Throws where the run, its flow or all runs hold more than they may. */
  countOutput(output: Json): void {
    const size = sizeOf(output, BYTES_OF_VALUE);
    this.output += size;
    if (this.output > MOST_OUTPUT)
      throw new Error(
        `The nodes of this run put out more than ${MOST_OUTPUT / MEGABYTE} MB. Let them repeat less, over fewer items.`,
      );
    this.hold(size);
  }

  /** Charges the messages that nodes load; only the most at a time, since they go with their node. */
  counting<Arguments extends unknown[], Message extends { content: string }>(
    history: (...args: Arguments) => Promise<Message[]>,
  ): (...args: Arguments) => Promise<Message[]> {
    return async (...args) => {
      const messages = await history(...args);
      const size = messages.reduce((sum, { content }) => sum + content.length, 0);
      if (size > this.messages) {
        this.hold(size - this.messages);
        this.messages = size;
      }
      return messages;
    };
  }

  /** Charges a part of the answer: the text, and its JSON that is stored and sent. */
  countAnswer(text: string): void {
    this.hold(2 * text.length);
  }

  /** Charges state that was loaded. */
  countState(state: Json): void {
    this.hold(sizeOf(state, BYTES_OF_VALUE));
  }

  /** Gives back what the run was charged; nodes that end later are not charged. */
  end(): void {
    this.charged = Infinity;
    for (const giveBack of this.charges.splice(0)) giveBack();
  }

  private hold(size: number): void {
    this.held += size;
    if (this.held <= this.charged) return;
    this.charges.push(charge(this.owner, this.held - this.charged));
    this.charged = this.held;
  }

  /** Before a run waits. Throws where it would have to keep too much until it is answered. */
  checkSnapshot(snapshot: Json): void {
    if (sizeOf(snapshot) > MOST_SNAPSHOT)
      throw new Error(
        `The run would have to keep more than ${MOST_SNAPSHOT} characters while it waits for a human. Let the nodes before put out less, or ask before them.`,
      );
  }
}

/** Bounds the flow state that a chat keeps. A state that is too large already may shrink: only growth is refused. */
export class StateBudget {
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

/** Charges the caller and the flow, or neither. */
function charge({ caller = '', flowId }: RunOwner, bytes: number): () => void {
  const leaveCaller = heldByCallers.take(caller, bytes);
  try {
    const leaveFlow = heldByFlows.take(flowId, bytes);
    return () => {
      leaveCaller();
      leaveFlow();
    };
  } catch (error) {
    leaveCaller();
    throw error;
  }
}

const tooMuchState = (size: number, by: string): Error =>
  new Error(
    `With ${by.slice(0, 100)} the flow state would hold ${size} characters; a chat keeps at most ${MOST_STATE}. Keep less of it; what the chat kept before stays.`,
  );

/** Counts the characters of the texts within, and `each` for every value. */
export function sizeOf(value: Json, each = 1): number {
  if (typeof value === 'string') return value.length + each;
  if (typeof value !== 'object' || value === null) return each;
  let size = each;
  if (Array.isArray(value)) for (const inner of value) size += sizeOf(inner, each);
  else for (const [name, inner] of Object.entries(value)) size += name.length + sizeOf(inner, each);
  return size;
}
