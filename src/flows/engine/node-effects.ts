import { EffectUnknown, type EffectPlace, type Journal } from './journal.js';
import type { Json } from './json.js';

/** What a node may know when it does something that must not happen twice. */
export interface OutsideEffect {
  /** It may be sent again when its answer was lost: a safe or idempotent method, or the author says so. */
  repeatable: boolean;
}

/**
 * What one visit of a node does outside of the run's record, each effect once for the run, however many attempts that
 * takes. An effect is named within its node; a result that an earlier attempt kept is taken, whatever is asked now.
 */
export class NodeEffects {
  constructor(
    private readonly journal: Journal,
    private readonly nodePath: string,
    private readonly taken: () => void,
  ) {}

  /** An effect inside the database: `perform` writes its row together with it (`EffectJournal.write`). */
  async inside<Result>(name: string, perform: (place: EffectPlace) => Promise<Result>): Promise<Result> {
    const place = this.place(name);
    const kept = await this.journal.find(place, 'run');
    if (kept === undefined || kept === 'begun') return perform(place);
    this.taken();
    return kept.result as Result;
  }

  /** An effect elsewhere: begun durably before `send`, its result kept before the run goes on. Throws `EffectUnknown`. */
  async outside<Result extends Json>(
    name: string,
    { repeatable }: OutsideEffect,
    send: (idempotencyKey: string) => Promise<Result>,
  ): Promise<Result> {
    const place = this.place(name);
    const kept = await this.journal.find(place, 'run');
    if (kept === 'begun' && !repeatable) throw new EffectUnknown();
    if (kept !== undefined && kept !== 'begun') {
      this.taken();
      return kept.result as Result;
    }
    await this.journal.begin(place, name);
    const result = await send(this.journal.idempotencyKey(place));
    await this.journal.keep(place, name, result);
    return result;
  }

  /** A finished answer that was paid for; asked anew where the flow was changed since. The run does not wait for its row. */
  async answered<Answer extends Json>(name: string, ask: () => Promise<Answer>): Promise<Answer> {
    const place = this.place(name);
    const kept = await this.journal.find(place, 'flow revision');
    if (kept !== undefined && kept !== 'begun') return kept.result as Answer;
    const answer = await ask();
    // A row that could not be written costs at most the same question again.
    this.journal.keep(place, name, answer).catch(() => undefined);
    return answer;
  }

  private place(name: string): EffectPlace {
    return this.journal.place(`${this.nodePath}/${name}`);
  }
}
