import { applied, type Change, changeBetween, inverse } from './change.js';

/** One undoable step: changes to the text, one after another. */
interface Step {
  /** Steps of one group in a row are undone together, such as the letters typed into a field. */
  group: string | undefined;
  changes: Change[][];
}

export interface Edit {
  changes: readonly Change[];
  /** The editor that made the edit, which shows it already. */
  by?: string | undefined;
}

/** The most steps that can be undone. */
const MOST_STEPS = 1_000;

/**
 * The text of a flow while it is edited, with one history of operations for all editors. A history begins with the loaded
 * text, and never goes back past it.
 */
export class FlowDocument {
  private readonly undone: Step[] = [];
  private readonly done: Step[] = [];
  private readonly listeners = new Set<(edit: Edit) => void>();

  private current: string;
  private lastBy: string | undefined;

  constructor(text: string) {
    this.current = withPlainLines(text);
  }

  get text(): string {
    return this.current;
  }

  /** The editor that made the last edit. */
  get editedBy(): string | undefined {
    return this.lastBy;
  }

  get canUndo(): boolean {
    return this.done.length > 0;
  }

  get canRedo(): boolean {
    return this.undone.length > 0;
  }

  /** Applies an edit as one step, or as a part of the last one if both have the same group. */
  edit(changes: readonly Change[], { group, by }: { group?: string | undefined; by?: string } = {}): void {
    if (changes.length === 0) return;
    const back = inverse(this.current, changes);
    const last = this.done.at(-1);
    if (group !== undefined && last?.group === group && this.undone.length === 0) last.changes.push(back);
    else this.done.push({ group, changes: [back] });
    if (this.done.length > MOST_STEPS) this.done.shift();
    this.undone.length = 0;
    this.apply({ changes, by });
  }

  /** Replaces the whole text as one step. */
  replace(text: string): void {
    this.edit(changeBetween(this.current, withPlainLines(text)));
  }

  /** Loads another text, at which the history begins. */
  load(text: string): void {
    this.done.length = this.undone.length = 0;
    this.apply({ changes: changeBetween(this.current, withPlainLines(text)) });
  }

  undo(): void {
    this.turn(this.done, this.undone);
  }

  redo(): void {
    this.turn(this.undone, this.done);
  }

  /** Ends the group of the last step, so that the next edit is a step of its own. */
  endGroup(): void {
    const last = this.done.at(-1);
    if (last) last.group = undefined;
  }

  readonly subscribe = (listener: (edit: Edit) => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private turn(from: Step[], to: Step[]): void {
    const step = from.pop();
    if (!step) return;
    const back: Change[][] = [];
    for (const changes of [...step.changes].reverse()) {
      back.push(inverse(this.current, changes));
      this.apply({ changes });
    }
    to.push({ group: undefined, changes: back });
  }

  private apply(edit: Edit): void {
    this.current = applied(this.current, edit.changes);
    this.lastBy = edit.by;
    for (const listener of this.listeners) listener(edit);
  }
}

/** Editors count one character for the end of a line. */
const withPlainLines = (text: string): string => text.replaceAll(/\r\n?/g, '\n');
