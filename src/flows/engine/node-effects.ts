import { EffectUnknown, type EffectPlace, type Journal } from './journal.js';
import type { Json } from './json.js';

/** Facts about an effect outside of the run, which must not happen twice. */
export interface OutsideEffect {
  /** It may be sent again when its answer was lost: a safe or idempotent method, or the author says so. */
  repeatable: boolean;
}

/**
 * The effects of one visit of a node outside of the run's record, each once for the run, however many attempts that
 * takes. An effect is named within its node; a result that an earlier attempt kept is reused, whatever the arguments
 * are now.
 */
export class NodeEffects {
  constructor(
    private readonly journal: Journal,
    private readonly nodePath: string,
    private readonly taken: () => void,
    /** Of the sub-flow that the node stands in: answers of models are kept for this one only. */
    private readonly revision?: string,
  ) {}

  /** The effects of a part of the node's work, which are named within that part (an agent: round, place of the call). */
  within(part: string): NodeEffects {
    return new NodeEffects(this.journal, `${this.nodePath}/${part}`, this.taken, this.revision);
  }

  /** An effect inside the database: `perform` writes its row together with it (`EffectJournal.write`). */
  async inside<Result>(name: string, perform: (place: EffectPlace) => Promise<Result>): Promise<Result> {
    const place = this.place(name);
    const stored = await this.journal.find(place, 'run');
    if (stored === undefined || stored === 'begun') return perform(place);
    this.taken();
    return stored.result as Result;
  }

  /** An effect elsewhere: begun durably before `send`, its result kept before the run goes on. Throws `EffectUnknown`. */
  async outside<Result>(
    name: string,
    { repeatable }: OutsideEffect,
    send: (idempotencyKey: string) => Promise<Result>,
  ): Promise<Result> {
    const place = this.place(name);
    const stored = await this.journal.find(place, 'run');
    if (stored === 'begun' && !repeatable) throw new EffectUnknown();
    if (stored !== undefined && stored !== 'begun') {
      this.taken();
      return stored.result as Result;
    }
    await this.journal.begin(place, name);
    const result = await send(this.journal.idempotencyKey(place));
    await this.journal.store(place, name, result as Json);
    return result;
  }

  /**
   * A finished answer that was paid for; asked anew where the flow was changed since. The run waits for its row only
   * where `leadsOn` says so: what is done because of an answer must find the same one on each attempt.
   */
  async answered<Answer extends Json>(
    name: string,
    ask: () => Promise<Answer>,
    leadsOn: (answer: Answer) => boolean = () => false,
  ): Promise<Answer> {
    const place = this.place(this.revision === undefined ? name : `${name}@${this.revision}`);
    const stored = await this.journal.find(place, 'flow revision');
    if (stored !== undefined && stored !== 'begun') return stored.result as Answer;
    const answer = await ask();
    const storing = this.journal.store(place, name, answer);
    if (leadsOn(answer)) await storing;
    // A row that could not be written costs at most a repetition of the question.
    else storing.catch(() => undefined);
    return answer;
  }

  private place(name: string): EffectPlace {
    return this.journal.place(`${this.nodePath}/${name}`);
  }
}
