import { EffectUnknown, type EffectPlace, type Journal } from './journal.js';
import type { Json } from './json.js';

/** Options of an effect outside of the run, which must not happen twice. */
interface OutsideEffect {
  /** True if it may be sent again when its answer was lost: a safe or idempotent method, or the author's setting. */
  repeatable: boolean;
  /** Throws if the effect cannot be performed. Called before it is recorded as begun, and not where a result is stored. */
  ready?: () => void;
}

/**
 * The effects of one visit of a node outside of the run's record. Each happens once for the run, over all attempts. An
 * effect is named within its node; a stored result of an earlier attempt is reused, whatever the arguments are now.
 */
export class NodeEffects {
  constructor(
    private readonly journal: Journal,
    private readonly nodePath: string,
    private readonly taken: () => void,
    /** The revision of the sub-flow of the node; stored answers of models are reused for the same revision only. */
    private readonly revision?: string,
  ) {}

  /** Returns the effects of a part of the node's work, named within that part (for an agent: round and call). */
  within(part: string): NodeEffects {
    return new NodeEffects(this.journal, `${this.nodePath}/${part}`, this.taken, this.revision);
  }

  /** Performs an effect inside the database; `perform` writes its journal row with it (`EffectJournal.write`). */
  async inside<Result>(name: string, perform: (place: EffectPlace) => Promise<Result>): Promise<Result> {
    const place = this.place(name);
    const stored = await this.journal.find(place, 'run');
    if (stored === undefined || stored === 'begun') return perform(place);
    this.taken();
    return stored.result as Result;
  }

  /** Performs an external effect: journaled before `send`, its result stored before the run continues. Throws `EffectUnknown`. */
  async outside<Result>(
    name: string,
    { repeatable, ready }: OutsideEffect,
    send: (idempotencyKey: string) => Promise<Result>,
  ): Promise<Result> {
    const place = this.place(name);
    const stored = await this.journal.find(place, 'run');
    if (stored === 'begun' && !repeatable) throw new EffectUnknown();
    if (stored !== undefined && stored !== 'begun') {
      this.taken();
      return stored.result as Result;
    }
    ready?.();
    await this.journal.begin(place, name);
    const result = await send(this.journal.idempotencyKey(place));
    await this.journal.store(place, name, result as Json);
    return result;
  }

  /**
   * Returns a model's answer, reusing a stored one of the same revision of the flow. The run waits until the answer is
   * stored only if `leadsOn` returns true: effects that follow from an answer need the same answer in each attempt.
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
    // A lost row costs at most a repeated call of the model.
    else storing.catch(() => undefined);
    return answer;
  }

  private place(name: string): EffectPlace {
    return this.journal.place(`${this.nodePath}/${name}`);
  }
}
