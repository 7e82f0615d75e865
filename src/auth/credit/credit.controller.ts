import { Controller, Get, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import {
  balance,
  type BalanceView,
  ledgerEntry,
  type LedgerEntryView,
  toppedUp,
  type TopUpView,
} from '../../api/credit.js';
import { answered } from '../../api/route-note.js';
import { type PageOf, pageSchema } from '../../api/shapes.js';
import { checked, ValidBody, ValidQuery } from '../../common/bodies/valid-body.decorator.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { Documented } from '../../common/http/route-table.js';
import { isoTime } from '../../common/iso-time.js';
import { identifier, nameOfUpTo } from '../../common/texts/identifier.js';
import { CreditLedger } from './credit-ledger.js';
import type { CreditEntryEntity } from './credit.entity.js';

const accountName = z.object({ account: identifier });

const topUp = z.object({
  amount: z.int('must be a whole number of credits').positive('must be at least 1'),
  reference: nameOfUpTo(255),
});

const limit = z.coerce.number().int().min(1).max(500).default(100);

const accountsPage = z.object({ limit, cursor: identifier.optional() });

const page = z.object({
  limit,
  cursor: z
    .string()
    .regex(/^[1-9]\d{0,15}$/, 'is not a cursor of this list')
    .transform(Number)
    .optional(),
});

/** Balances, top-ups and the ledger (contract section 8). */
@Controller('api/v1/credit')
@UseGuards(AdminGuard)
export class CreditController {
  constructor(private readonly ledger: CreditLedger) {}

  /** Lists by name. The cursor is the last account of the previous page. */
  @Documented({
    summary: 'List accounts',
    description:
      'Every account that was ever topped up. An account that a flow names and that is not listed has 0 credits.',
    answers: answered('By name, each with its balance.', pageSchema(balance)),
  })
  @Get()
  async accounts(
    @ValidQuery(accountsPage) { limit, cursor }: z.infer<typeof accountsPage>,
  ): Promise<PageOf<BalanceView>> {
    const accounts = await this.ledger.accounts(limit + 1, cursor);
    const data = accounts.slice(0, limit).map(({ account, balance }) => ({ account, balance }));
    return { data, nextCursor: accounts.length > limit ? data.at(-1)!.account : null };
  }

  @Documented({
    summary: 'Read the balance of an account',
    errors: ['invalid_request'],
    answers: answered('Whole credits.', balance),
  })
  @Get(':account')
  async balance(@Param('account') name: string): Promise<BalanceView> {
    const { account } = checked(accountName, { account: name });
    return { account, balance: await this.ledger.balance(account) };
  }

  @Documented({
    summary: 'Top up an account',
    description:
      'The same reference and amount twice is one top-up: the second answer is `repeated` and shows the first entry. The same reference with another amount is 409.',
    errors: ['reference_reused'],
    body: { examples: { invoice: { amount: 500, reference: 'invoice-2026-11' } } },
    answers: answered('The entry and the current balance.', toppedUp),
  })
  @Post(':account/top-ups')
  @HttpCode(200)
  async topUp(
    @Param('account') name: string,
    @ValidBody(topUp) body: z.infer<typeof topUp>,
  ): Promise<TopUpView> {
    const { account } = checked(accountName, { account: name });
    const { balance, entry, repeated } = await this.ledger.topUp({ account, ...body });
    return { account, balance, entry: shown(entry), repeated };
  }

  @Documented({
    summary: 'Read the ledger of an account',
    answers: answered('The newest first.', pageSchema(ledgerEntry)),
  })
  @Get(':account/entries')
  async entries(
    @Param('account') name: string,
    @ValidQuery(page) query: z.infer<typeof page>,
  ): Promise<PageOf<LedgerEntryView>> {
    const { account } = checked(accountName, { account: name });
    const entries = await this.ledger.entries(account, query.limit + 1, query.cursor);
    const shownEntries = entries.slice(0, query.limit);
    const more = entries.length > query.limit;
    return {
      data: shownEntries.map(shown),
      nextCursor: more ? String(shownEntries.at(-1)!.sequence) : null,
    };
  }
}

const shown = (entry: CreditEntryEntity): LedgerEntryView => ({
  id: entry.id,
  kind: entry.kind,
  amount: entry.amount,
  balanceAfter: entry.balanceAfter,
  executionId: entry.executionId,
  reference: entry.reference,
  at: isoTime(entry.createdAt),
});
