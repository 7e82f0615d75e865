/** The kinds that a move counts, in the order of the table. */
export const MOVE_KINDS = {
  flow: 'flows',
  node: 'nodes and tools',
  setting: 'settings of flows',
  key: 'API keys',
  credential: 'credentials',
  variable: 'variables',
  tool: 'custom tools',
  store: 'document stores',
  assistant: 'assistants',
  chat: 'chats',
  message: 'messages',
  feedback: 'feedback',
  lead: 'leads',
  file: 'files',
  execution: 'executions',
  table: 'rows of other tables',
} as const;

export type MoveKind = keyof typeof MOVE_KINDS;

/** The outcomes, in the order of the table's columns. */
export const MOVE_OUTCOMES = ['came', 'here', 'placeholder', 'left'] as const;

export type MoveOutcome = (typeof MOVE_OUTCOMES)[number];

/** Things of one kind with one outcome and reason. At most `MOST_NAMED` of them are named. */
interface ReportGroup {
  kind: MoveKind;
  outcome: MoveOutcome;
  why: string;
  count: number;
  names: string[];
}

/** Names that are stored for one reason; nobody reads a longer list. */
export const MOST_NAMED = 200;

/**
 * The report of a move: how many things of each kind were moved, were here already, became a placeholder or were not moved,
 * and why. Its memory grows with the number of different reasons, not of things.
 */
export class MoveReport {
  private readonly groups = new Map<string, ReportGroup>();
  private readonly noted = new Map<string, string[]>();

  /** Counts things that were moved. */
  came(kind: MoveKind, count = 1): void {
    this.add(kind, 'came', '', undefined, count);
  }

  /** Counts things that were here before and were not changed; `why` if they differ from the other side's. */
  here(kind: MoveKind, why = '', name?: string, count = 1): void {
    this.add(kind, 'here', why, name, count);
  }

  /** Counts things that were moved as a placeholder, which fails with its name once a run reaches it. */
  placeholder(kind: MoveKind, why: string, name?: string, count = 1): void {
    this.add(kind, 'placeholder', why, name, count);
  }

  /** Counts things that were not moved. `why` is a sentence without a full stop. */
  left(kind: MoveKind, why: string, name?: string, count = 1): void {
    this.add(kind, 'left', why, name, count);
  }

  /** Adds a sentence, printed once with all the names that it is noted for. */
  note(sentence: string, name?: string): void {
    const names = this.noted.get(sentence) ?? [];
    this.noted.set(sentence, names);
    if (name !== undefined) addName(names, name);
  }

  /** The noted sentences, each with its names. */
  get notes(): ReadonlyMap<string, readonly string[]> {
    return this.noted;
  }

  /** Returns the groups in the order of their first members. */
  list(): readonly ReportGroup[] {
    return [...this.groups.values()];
  }

  count(kind: MoveKind, outcome: MoveOutcome): number {
    return this.list()
      .filter((group) => group.kind === kind && group.outcome === outcome)
      .reduce((sum, group) => sum + group.count, 0);
  }

  /** True if flows were to be moved and nothing was. */
  get isEmptyHanded(): boolean {
    const outcomes = new Set(this.list().map(({ outcome }) => outcome));
    return outcomes.size === 1 && this.count('flow', 'left') > 0;
  }

  private add(
    kind: MoveKind,
    outcome: MoveOutcome,
    why: string,
    name: string | undefined,
    count: number,
  ): void {
    if (count === 0) return;
    const key = `${kind} ${outcome} ${why}`;
    let group = this.groups.get(key);
    if (!group) this.groups.set(key, (group = { kind, outcome, why, count: 0, names: [] }));
    group.count += count;
    if (name !== undefined) addName(group.names, name);
  }
}

function addName(names: string[], name: string): void {
  if (names.length < MOST_NAMED && !names.includes(name)) names.push(name);
}
