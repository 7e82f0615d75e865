/** The kinds of things that a move counts, in the order of the table. */
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

/** The outcomes that a moved thing can have, in the order of the table's columns. */
export const MOVE_OUTCOMES = ['came', 'here', 'placeholder', 'left'] as const;

export type MoveOutcome = (typeof MOVE_OUTCOMES)[number];

/** Things of one kind that share an outcome and its reason. At most `MOST_NAMED` of them are named. */
export interface ToldGroup {
  kind: MoveKind;
  outcome: MoveOutcome;
  why: string;
  count: number;
  names: string[];
}

/** Names are kept so that somebody can act on them; of more things of one reason nobody reads the list. */
export const MOST_NAMED = 200;

/**
 * The account of a move: how many things of each kind came, were here already, came as a placeholder or did not come,
 * and why. Its memory is bounded by the number of different reasons, not by that of things.
 */
export class MoveReport {
  private readonly groups = new Map<string, ToldGroup>();
  private readonly told = new Map<string, string[]>();

  /** `count` things that are here now and were not before. */
  came(kind: MoveKind, count = 1): void {
    this.add(kind, 'came', '', undefined, count);
  }

  /** Things that were here before and were left as they are; `why` where they are not what the other side has. */
  here(kind: MoveKind, why = '', name?: string, count = 1): void {
    this.add(kind, 'here', why, name, count);
  }

  /** A thing that is shown here, and fails with its name where a run needs it. */
  placeholder(kind: MoveKind, why: string, name?: string, count = 1): void {
    this.add(kind, 'placeholder', why, name, count);
  }

  /** Things that did not come. `why` is a sentence without a full stop. */
  left(kind: MoveKind, why: string, name?: string, count = 1): void {
    this.add(kind, 'left', why, name, count);
  }

  /** A sentence that is said once, of each flow that is named with it. */
  note(sentence: string, name?: string): void {
    const names = this.told.get(sentence) ?? [];
    this.told.set(sentence, names);
    if (name !== undefined) addName(names, name);
  }

  /** Each sentence with the names of what it is said of. */
  get notes(): ReadonlyMap<string, readonly string[]> {
    return this.told;
  }

  /** In the order in which the first of each was told. */
  list(): readonly ToldGroup[] {
    return [...this.groups.values()];
  }

  count(kind: MoveKind, outcome: MoveOutcome): number {
    return this.list()
      .filter((group) => group.kind === kind && group.outcome === outcome)
      .reduce((sum, group) => sum + group.count, 0);
  }

  /** Nothing of the other side is here, and something should be. */
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
