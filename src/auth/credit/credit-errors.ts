import { InvalidRequest, ServiceError } from '../../common/service-error.js';
import type { CreditEntryEntity as LedgerEntry } from './credit.entity.js';

/** 402: the account cannot pay (description section 7). It is named only to callers who may know it. */
export class InsufficientCredit extends ServiceError {
  constructor(account?: string) {
    const sentence =
      account === undefined
        ? 'This flow has no credit left. Ask its owner to top it up, then try again.'
        : `The balance of account ${account} is too low. Top it up and try again.`;
    super('insufficient_credit', sentence);
  }
}

/** 409: the reference belongs to a top-up of another amount (decision 0024). Nothing was booked. */
export class ReferenceReused extends ServiceError {
  constructor({ reference, amount }: LedgerEntry) {
    super(
      'reference_reused',
      `The reference ${reference} is that of a top-up of ${amount} ${amount === 1 ? 'credit' : 'credits'}. Nothing was added: send that amount to repeat it, or give another payment another reference.`,
      { errors: [{ path: 'reference', message: `names a top-up of ${amount}` }] },
    );
  }
}

/** 400: a balance that a number cannot hold exactly. */
export const tooMuch = () =>
  new InvalidRequest([{ path: 'amount', message: 'the balance would be larger than can be counted' }]);
