import { Budget, declareBudget } from '../../common/budgets/budget.js';
import type { Json } from './json.js';

/** Node runs of one run; ends an endless loop. */
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

/** Bytes of a run that are not charged; an ordinary run stays below. */
const FREE_BYTES = 16 * 1024;

/** Bytes that a JSON value takes in memory in addition to its text. */
const BYTES_OF_VALUE = 32;

/** Characters of the snapshot of a run that waits for a human, which is stored for days. */
const MOST_SNAPSHOT = 8 * MEGABYTE;

/** Characters of the flow state of a chat, names and values: it is loaded before each run and stored after it. */
export const MOST_STATE = 4 * MEGABYTE;

/** The owners to whom the memory of a run is charged; runs without a caller share one. */
interface RunOwner {
  flowId: string;
  caller?: string;
}

/** Limits a run with its sub-flows: the number of node runs and the memory of its values. */
export class RunBudget {
  private nodeRuns = 0;
  private output = 0;
  private messages = 0;
  private held = 0;
  private charged = FREE_BYTES;
  private readonly charges: (() => void)[] = [];

  constructor(private readonly owner: RunOwner) {}

  /** Counts a node run. Throws beyond the limit. */
  countNodeRun(): void {
    if (++this.nodeRuns > MOST_NODE_RUNS)
      throw new Error(
        `The flow ran ${MOST_NODE_RUNS} nodes without coming to an end. Limit its loop, or process fewer items.`,
      );
  }

  /** Charges the output of a node. Throws when the run, its flow or all runs exceed a budget. */
  countOutput(output: Json): void {
    const size = sizeOf(output, BYTES_OF_VALUE);
    this.output += size;
    if (this.output > MOST_OUTPUT)
      throw new Error(
        `The outputs of this run are larger than ${MOST_OUTPUT / MEGABYTE} MB. Return less from its nodes, or process fewer items.`,
      );
    this.hold(size);
  }

  /** Wraps `history` to charge loaded messages: only the largest load, since messages are released with their node. */
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

  /** Charges a part of the answer twice: for the text, and for the JSON that is stored and sent. */
  countAnswer(text: string): void {
    this.hold(2 * text.length);
  }

  /** Charges loaded state. */
  countState(state: Json): void {
    this.hold(sizeOf(state, BYTES_OF_VALUE));
  }

  /** Releases everything that the run was charged; nodes that end later are not charged. */
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

  /** Throws when the snapshot of a run that is about to wait is too large. */
  checkSnapshot(snapshot: Json): void {
    if (sizeOf(snapshot) > MOST_SNAPSHOT)
      throw new Error(
        `The run would have to store more than ${MOST_SNAPSHOT} characters while it waits for a human. Return less from the nodes before this one, or ask earlier.`,
      );
  }
}

/** Limits the flow state of a chat. Only growth is refused, so that a state that is too large already may shrink. */
export class StateBudget {
  private size: number | undefined;

  constructor(private readonly state: Readonly<Record<string, Json>>) {}

  /** Throws when the state of the chat with that of the caller is too large. */
  requireFits(): void {
    const size = (this.size ??= sizeOf(this.state));
    if (size > MOST_STATE) throw tooMuchState(size, 'startState');
  }

  /** Counts a new value of a name. Throws when the state would grow beyond the limit. */
  take(name: string, value: Json): void {
    const before = Object.hasOwn(this.state, name) ? name.length + sizeOf(this.state[name]!) : 0;
    const size = this.size ?? sizeOf(this.state);
    const more = name.length + sizeOf(value) - before;
    if (more > 0 && size + more > MOST_STATE) throw tooMuchState(size + more, `"${name}"`);
    this.size = size + more;
  }
}

/** Charges both the caller and the flow, or neither. */
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
    `With ${by.slice(0, 100)} the flow state would have ${size} characters; at most ${MOST_STATE} are stored. Store less in it. The state from before the run is unchanged.`,
  );

/** Returns the characters of all texts in a value, plus `each` for every value. */
export function sizeOf(value: Json, each = 1): number {
  if (typeof value === 'string') return value.length + each;
  if (typeof value !== 'object' || value === null) return each;
  let size = each;
  if (Array.isArray(value)) for (const inner of value) size += sizeOf(inner, each);
  else for (const [name, inner] of Object.entries(value)) size += name.length + sizeOf(inner, each);
  return size;
}
