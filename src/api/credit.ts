import { z } from 'zod';
import { timestamp } from './shapes.js';

export const LEDGER_KINDS = ['top_up', 'charge', 'refund'] as const;

export const balance = z.strictObject({ account: z.string(), balance: z.int() }).meta({ id: 'Balance' });
export type BalanceView = z.infer<typeof balance>;

export const ledgerEntry = z
  .strictObject({
    id: z.string(),
    kind: z.enum(LEDGER_KINDS),
    amount: z.int(),
    balanceAfter: z.int(),
    executionId: z
      .string()
      .nullable()
      .describe('For a live case, which has no execution, `case-` and an id.'),
    reference: z.string().nullable(),
    at: timestamp,
  })
  .meta({ id: 'LedgerEntry' });
export type LedgerEntryView = z.infer<typeof ledgerEntry>;

export const toppedUp = balance
  .extend({
    entry: ledgerEntry,
    repeated: z.boolean().describe('The reference was known: nothing was added.'),
  })
  .meta({ id: 'ToppedUp' });
export type TopUpView = z.infer<typeof toppedUp>;
