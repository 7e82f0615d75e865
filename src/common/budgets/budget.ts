import { Overloaded, ServiceError } from '../service-error.js';

/** A limit on memory, storage or work for callers; SECURITY.md lists all of them. */
export interface BudgetDefinition {
  /** Unique, and names the counted resource: `request bodies in memory`. */
  readonly name: string;
  readonly unit: 'bytes' | 'calls' | 'runs' | 'ms' | 'rows' | 'values';
  /** The kind of owner that has a share. `caller`: the checked key, else the address. */
  readonly owner: 'caller' | 'address' | 'flow' | 'session' | 'target' | 'call';
  /** The most that one owner may use. */
  readonly share: number;
  /** The most for all owners of one process together; absent when only the shares are limited. */
  readonly total?: number;
  /** The environment variable that sets it. */
  readonly variable?: string;
  /** The answer beyond it: `429 quota_exceeded`. */
  readonly beyond: string;
  /** The reason for these figures. */
  readonly reason: string;
}

const declared = new Map<string, BudgetDefinition>();

/** Declares a budget beside the code that charges it. */
export function declareBudget<Definition extends BudgetDefinition>(definition: Definition): Definition {
  declared.set(definition.name, definition);
  return definition;
}

/** Returns the budgets of all loaded modules, sorted by name. */
export const declaredBudgets = (): BudgetDefinition[] =>
  [...declared.values()].toSorted((one, other) => one.name.localeCompare(other.name, 'en'));

/** 429: the owner has used up its share; the rest of the budget is for others. */
export class QuotaExceeded extends ServiceError {
  constructor({ name, owner }: Pick<BudgetDefinition, 'name' | 'owner'>, retryAfterSeconds: number) {
    super(
      'quota_exceeded',
      `This ${owner === 'caller' ? 'key or address' : owner} has used up its share of ${name}. Try again after the seconds in Retry-After.`,
      { headers: { 'Retry-After': String(retryAfterSeconds) } },
    );
  }
}

/** Seconds after which a refused caller should retry. */
const RETRY_SECONDS = 1;

type Limits = Pick<BudgetDefinition, 'name' | 'owner' | 'share' | 'total'>;

/** Counts the amounts that owners hold. */
export class Budget {
  private readonly held = new Map<string, number>();
  private inUse = 0;

  constructor(private readonly limits: Limits) {}

  /**
   * Holds an amount for an owner until the returned function is called; further calls of it do nothing. Throws 503
   * `overloaded` when the total is used up, and `QuotaExceeded` when the owner's share is.
   */
  take(owner: string, amount: number): () => void {
    const { name, share, total = Infinity } = this.limits;
    if (this.inUse + amount > total) {
      throw new Overloaded(
        `The service has used up its budget for ${name}. Try again after the seconds in Retry-After.`,
        RETRY_SECONDS,
      );
    }
    if (this.heldBy(owner) + amount > share) throw new QuotaExceeded(this.limits, RETRY_SECONDS);
    this.add(owner, amount);
    let isHeld = true;
    return () => {
      if (isHeld) this.add(owner, -amount);
      isHeld = false;
    };
  }

  private heldBy(owner: string): number {
    return this.held.get(owner) ?? 0;
  }

  private add(owner: string, amount: number): void {
    const left = this.heldBy(owner) + amount;
    if (left > 0) this.held.set(owner, left);
    else this.held.delete(owner);
    this.inUse += amount;
  }
}
