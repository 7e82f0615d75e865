import { Link } from '@tanstack/react-router';
import { CASE_CHARGE } from '../../../../src/api/case-terms.js';
import type { LedgerEntryView } from '../../../../src/api/credit.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { MinusIcon, PlusIcon, RepeatIcon } from '../../parts/icons.js';
import { Tag } from '../../parts/values/status-tag.js';
import { Time } from '../../parts/values/time.js';
import { numberInWords } from '../../parts/words.js';

const looks = {
  top_up: ['good', 'Top-up', <PlusIcon key="plus" />],
  charge: ['still', 'Charge', <MinusIcon key="minus" />],
  refund: ['busy', 'Refund', <RepeatIcon key="repeat" />],
} as const;

const columns: readonly Column<LedgerEntryView>[] = [
  { name: 'When', cell: ({ at }) => <Time at={at} /> },
  {
    name: 'Type',
    cell: ({ kind }) => {
      const [tone, name, icon] = looks[kind];
      return (
        <Tag tone={tone} icon={icon}>
          {name}
        </Tag>
      );
    },
  },
  { name: 'For', cell: (entry) => <Why entry={entry} /> },
  {
    name: 'Amount',
    kind: 'number',
    cell: ({ amount }) => <span className={amount > 0 ? 'ledger-plus' : ''}>{signed(amount)}</span>,
  },
  { name: 'Balance after', kind: 'number', cell: ({ balanceAfter }) => numberInWords(balanceAfter) },
];

/** Every movement of an account. Entries never change. */
export function LedgerTable({ entries }: { entries: readonly LedgerEntryView[] }) {
  return <DataTable label="Ledger" columns={columns} rows={entries} keyOf={({ id }) => id} inParts />;
}

function Why({ entry: { executionId, reference } }: { entry: LedgerEntryView }) {
  if (executionId?.startsWith(CASE_CHARGE)) return 'A live case';
  if (executionId !== null)
    return (
      <Link to="/console/executions/$id" params={{ id: executionId }} className="ledger-why">
        {executionId}
      </Link>
    );
  return <bdi>{reference ?? ''}</bdi>;
}

const signed = (amount: number): string => `${amount > 0 ? '+' : '−'}${numberInWords(Math.abs(amount))}`;
