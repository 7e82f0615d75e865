import { type Json, objectIn } from '../../common/answer.js';
import { fieldText, lacksName, storedText } from '../../common/meta-fields.js';
import { warningSentences } from '../../common/warning.js';
import { changeOf, type FieldName, FIELDS } from './details-fields.js';
import { inspectionTexts } from './inspection-texts.js';

/** Unsaved text, and the record's value when the person started typing. */
export interface Draft {
  typed: string;
  base: string;
}

export interface FieldState {
  /** The text to show: what was typed, else the record's value. */
  text: string;
  at: 'saved' | 'typed' | 'saving' | 'failed' | 'differs';
  /** The reason it was not saved, or a warning. */
  why?: string;
  /** The record's value if somebody else has changed it in the meantime. */
  meanwhile?: string;
}

export interface RecordState {
  /** The record has been loaded. */
  known: boolean;
  /** The reason it could not be loaded. */
  failure?: string;
  fields: Readonly<Partial<Record<FieldName, FieldState>>>;
}

interface Parts {
  service: { details(): Promise<Json>; changeDetails(members: Json): Promise<Json> };
  /** Stores unsaved text after the sheet is closed. */
  drafts: {
    read(): Partial<Record<FieldName, Draft>>;
    write(drafts: Partial<Record<FieldName, Draft>>): void;
  };
  inWords: (error: unknown) => string;
}

/**
 * Edits the record of an inspection. Each field is saved separately, after the record is read again: a value changed in the
 * meantime is shown and stays unless the person overwrites it. Unsaved text stays in its field.
 */
export class RecordEditor {
  private details: Json | undefined;
  private failure: string | undefined;
  private drafts: Partial<Record<FieldName, Draft>>;
  private readonly notes = new Map<FieldName, Pick<FieldState, 'at' | 'why'>>();
  private readonly listeners = new Set<() => void>();
  private state: RecordState;
  private queue: Promise<void> = Promise.resolve();

  constructor(private readonly parts: Parts) {
    this.drafts = parts.drafts.read();
    this.state = this.shown();
  }

  readonly snapshot = (): RecordState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Reads the record, and saves the unsaved text of an earlier visit. */
  async open(): Promise<void> {
    // A field that is typed in while the record loads is saved when it loses the focus.
    const unsaved = FIELDS.filter((field) => this.drafts[field]);
    this.failure = undefined;
    this.show();
    await this.enqueue(() => this.read());
    if (this.failure === undefined) await Promise.all(unsaved.map((field) => this.save(field)));
  }

  type(field: FieldName, typed: string): void {
    const base = this.drafts[field]?.base ?? this.recorded(field);
    this.keep(field, { typed, base });
    this.notes.delete(field);
    this.show();
  }

  /** Saves what was typed, after the saves queued before it. */
  save(field: FieldName): Promise<void> {
    return this.enqueue(async () => {
      const draft = this.drafts[field];
      if (!draft) return;
      if (lacksName(field, draft.typed))
        return this.note(field, { at: 'failed', why: inspectionTexts.documentLacksName });
      if (storedText(field, draft.typed) === this.recorded(field)) return this.settle(field, draft);
      this.note(field, { at: 'saving' });
      try {
        await this.send(field, draft);
      } catch (error) {
        this.note(field, { at: 'failed', why: this.parts.inWords(error) });
      }
    });
  }

  /** Discards the typed text of a field that differs. */
  takeTheirs(field: FieldName): void {
    this.keep(field, undefined);
    this.notes.delete(field);
    this.show();
  }

  /** Saves the typed text of a field that differs. */
  async keepMine(field: FieldName): Promise<void> {
    const { typed } = this.drafts[field] ?? { typed: this.recorded(field) };
    this.keep(field, { typed, base: this.recorded(field) });
    await this.save(field);
  }

  private async send(field: FieldName, draft: Draft): Promise<void> {
    this.details = objectIn((await this.parts.service.details())['details']);
    const now = this.recorded(field);
    if (now !== draft.base && now !== storedText(field, draft.typed))
      return this.note(field, { at: 'differs' });
    const answer = await this.parts.service.changeDetails(changeOf(this.details, field, draft.typed));
    this.details = objectIn(answer['details']);
    const warnings = warningSentences(answer['warnings']);
    if (this.recorded(field) === storedText(field, draft.typed)) return this.settle(field, draft, warnings);
    this.note(field, { at: 'failed', why: warnings.join(' ') || inspectionTexts.notTaken });
  }

  private async read(): Promise<void> {
    try {
      this.details = objectIn((await this.parts.service.details())['details']);
    } catch (error) {
      this.failure = this.parts.inWords(error);
    }
    this.show();
  }

  /** Marks a field as saved. Text typed since then stays unsaved. */
  private settle(field: FieldName, saved: Draft, warnings: string[] = []): void {
    const typed = this.drafts[field]?.typed ?? saved.typed;
    const isLast = typed === saved.typed;
    this.keep(field, isLast ? undefined : { typed, base: this.recorded(field) });
    if (isLast && warnings.length === 0) this.notes.delete(field);
    else this.notes.set(field, isLast ? { at: 'saved', why: warnings.join(' ') } : { at: 'typed' });
    this.show();
  }

  private recorded(field: FieldName): string {
    return fieldText(this.details ?? {}, field);
  }

  private keep(field: FieldName, draft: Draft | undefined): void {
    const { [field]: _, ...others } = this.drafts;
    this.drafts = draft === undefined ? others : { ...others, [field]: draft };
    this.parts.drafts.write(this.drafts);
  }

  private note(field: FieldName, note: Pick<FieldState, 'at' | 'why'>): void {
    this.notes.set(field, note);
    this.show();
  }

  private enqueue(work: () => Promise<void>): Promise<void> {
    return (this.queue = this.queue.then(work));
  }

  private show(): void {
    this.state = this.shown();
    for (const listener of this.listeners) listener();
  }

  private shown(): RecordState {
    const fields = Object.fromEntries(FIELDS.map((field) => [field, this.fieldShown(field)]));
    return {
      known: this.details !== undefined,
      ...(this.failure === undefined ? {} : { failure: this.failure }),
      fields,
    };
  }

  private fieldShown(field: FieldName): FieldState {
    const draft = this.drafts[field];
    const note = this.notes.get(field) ?? { at: draft ? ('typed' as const) : ('saved' as const) };
    const meanwhile = note.at === 'differs' ? { meanwhile: this.recorded(field) } : {};
    return { text: draft?.typed ?? this.recorded(field), ...note, ...meanwhile };
  }
}
