import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { BalanceView, LedgerEntryView } from '../../../../src/api/credit.js';
import type { FlowSummary } from '../../../../src/api/flows.js';
import type { PageOf } from '../../../../src/api/shapes.js';
import { get, segment } from '../../api/client.js';
import { everyPage } from '../../api/every-page.js';
import { useFlows } from '../../api/use-flows.js';
import { Button } from '../../parts/actions/button.js';
import { Select } from '../../parts/entry/select.js';
import { PlusIcon, ReportIcon } from '../../parts/icons.js';
import { EmptyState } from '../../parts/waiting/empty-state.js';
import { Fetched } from '../../parts/waiting/fetched.js';
import { latePart } from '../../parts/waiting/late-part.js';
import { Problem } from '../../parts/waiting/problem.js';
import { Section } from '../section.js';
import './credit-page.css';
import { AccountSummary } from './account-summary.js';
import { LedgerTable } from './ledger-table.js';
import { TopUpDialog } from './top-up-dialog.js';

const BalanceChart = latePart(() => import('./balance-chart.js'), <div className="chart-place" />);

const DEFAULT_ACCOUNT = 'default';
const LOOK_MS = 5_000;
const PAGE = 100;

export function CreditPage() {
  const { account = DEFAULT_ACCOUNT, topUp, amount } = getRouteApi('/console/access/credit').useSearch();
  const [toppingUp, setToppingUp] = useState(topUp === 'yes');
  const flows = useFlows();
  const balance = useBalance(account);
  return (
    <Section
      title="Credit"
      lead="Each run is charged to the flow’s account before it starts, at the flow’s price. A failed run is refunded. When the balance is below the price, calls are refused with 402."
      actions={
        <Button
          look="primary"
          icon={<PlusIcon />}
          isDisabled={balance.data === undefined}
          onPress={() => setToppingUp(true)}
        >
          Top up
        </Button>
      }
    >
      <AccountChoice account={account} flows={flows.data ?? []} />
      <Fetched queries={[balance]} label="Loading the balance" lines={3}>
        {balance.data && <AccountSummary balance={balance.data} flows={flows} />}
      </Fetched>
      <Ledger key={account} account={account} balance={balance.data?.balance} />
      {balance.data && (
        <TopUpDialog
          balance={balance.data}
          proposed={amount}
          isOpen={toppingUp}
          onClose={() => setToppingUp(false)}
        />
      )}
    </Section>
  );
}

const useBalance = (account: string) =>
  useQuery({
    queryKey: ['credit', account, 'balance'],
    queryFn: ({ signal }) => get<BalanceView>(`credit/${segment(account)}`, { signal }),
    refetchInterval: LOOK_MS,
  });

/** A choice of the accounts that have credit or that flows are charged to. */
function AccountChoice({ account, flows }: { account: string; flows: readonly FlowSummary[] }) {
  const navigate = useNavigate({ from: '/console/access/credit' });
  const accounts = useQuery({
    queryKey: ['credit', 'accounts'],
    queryFn: ({ signal }) => everyPage<BalanceView>('credit', { limit: 500 }, signal),
  });
  const known = (accounts.data ?? []).map((one) => one.account);
  const names = [...new Set([DEFAULT_ACCOUNT, account, ...known, ...flows.map((flow) => flow.account)])];
  return (
    <>
      {accounts.error && <Problem error={accounts.error} onRetry={() => void accounts.refetch()} />}
      <div className="account-choice">
        <Select
          label="Account"
          options={names.map((name) => ({ value: name, name }))}
          value={account}
          onChange={(chosen) =>
            void navigate({ search: chosen === DEFAULT_ACCOUNT ? {} : { account: chosen } })
          }
        />
      </div>
    </>
  );
}

function Ledger({ account, balance }: { account: string; balance: number | undefined }) {
  const client = useQueryClient();
  const ledger = useInfiniteQuery({
    queryKey: ['credit', account, 'entries'],
    queryFn: ({ pageParam, signal }) =>
      get<PageOf<LedgerEntryView>>(`credit/${segment(account)}/entries`, {
        query: { limit: PAGE, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  // The balance is polled. When it changes, the ledger has changed too.
  useEffect(() => {
    if (balance !== undefined) void client.invalidateQueries({ queryKey: ['credit', account, 'entries'] });
  }, [client, account, balance]);
  if (!ledger.data) return <Fetched queries={[ledger]} label="Loading the ledger" lines={8} />;
  const entries = ledger.data.pages.flatMap(({ data }) => data);
  if (entries.length === 0)
    return (
      <EmptyState title="No movements on this account" icon={<ReportIcon />}>
        Top-ups, charges and refunds are listed here.
      </EmptyState>
    );
  return (
    <>
      <BalanceChart entries={entries} until={ledger.dataUpdatedAt} />
      <LedgerTable entries={entries} />
      {ledger.error && <Problem error={ledger.error} onRetry={() => void ledger.fetchNextPage()} />}
      {ledger.hasNextPage && (
        <Button isPending={ledger.isFetchingNextPage} onPress={() => void ledger.fetchNextPage()}>
          Load earlier entries
        </Button>
      )}
    </>
  );
}
