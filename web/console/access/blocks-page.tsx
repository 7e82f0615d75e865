import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { AddressBlockView } from '../../../src/api/access.js';
import type { PageOf } from '../../../src/api/shapes.js';
import { get } from '../api/client.js';
import { Button } from '../parts/actions/button.js';
import { type Column, DataTable } from '../parts/data-table.js';
import { CheckIcon } from '../parts/icons.js';
import { RemovalDialog } from '../parts/overlay/removal-dialog.js';
import { Time } from '../parts/values/time.js';
import { EmptyState } from '../parts/waiting/empty-state.js';
import { Fetched } from '../parts/waiting/fetched.js';
import { Section } from './section.js';
import { timeLeft } from './time-left.js';
import { useNow } from './use-now.js';

const LOOK_MS = 5_000;

export function BlocksPage() {
  const [lifting, setLifting] = useState<AddressBlockView>();
  const blocks = useQuery({
    queryKey: ['address-blocks'],
    queryFn: ({ signal }) => get<PageOf<AddressBlockView>>('address-blocks', { signal }),
    refetchInterval: LOOK_MS,
  });
  return (
    <Section
      title="Address blocks"
      lead="An address that requests three unknown flow ids within 15 minutes is blocked for one hour. This stops anyone guessing ids. Wrong keys do not count."
    >
      <Fetched queries={[blocks]} label="Loading the blocks">
        {blocks.data && (
          <BlockList blocks={blocks.data.data} onLift={setLifting} onOver={() => void blocks.refetch()} />
        )}
      </Fetched>
      <RemovalDialog
        list="address-blocks"
        id={lifting?.address}
        title="Lift the block?"
        action="Lift"
        done="Block lifted."
        onClose={() => setLifting(undefined)}
      >
        Calls from <b>{lifting?.address}</b> are answered again at once, and its count of unknown ids is
        reset.
      </RemovalDialog>
    </Section>
  );
}

function BlockList({
  blocks,
  onLift,
  onOver,
}: {
  blocks: readonly AddressBlockView[];
  onLift: (block: AddressBlockView) => void;
  onOver: () => void;
}) {
  if (blocks.length === 0)
    return (
      <EmptyState title="No address is blocked" icon={<CheckIcon />}>
        Blocked addresses appear here with the time left.
      </EmptyState>
    );
  const columns: Column<AddressBlockView>[] = [
    { name: 'Address', cell: ({ address }) => <code>{address}</code> },
    { name: 'Blocked since', cell: ({ blockedAt }) => <Time at={blockedAt} /> },
    { name: 'Blocked until', cell: ({ blockedUntil }) => <Time at={blockedUntil} /> },
    { name: 'Time left', cell: (block) => <Left block={block} onOver={onOver} /> },
    {
      name: 'Actions',
      kind: 'actions',
      cell: (block) => (
        <Button small onPress={() => onLift(block)} aria-label={`Lift the block of ${block.address}`}>
          Lift
        </Button>
      ),
    },
  ];
  return <DataTable label="Blocked addresses" columns={columns} rows={blocks} keyOf={(one) => one.address} />;
}

/** Counts down by the browser's clock, capped at the length of a block in case the clock is wrong. */
function Left({ block, onOver }: { block: AddressBlockView; onOver: () => void }) {
  const left = Date.parse(block.blockedUntil) - useNow();
  const whole = Date.parse(block.blockedUntil) - Date.parse(block.blockedAt);
  const over = left <= 0;
  useEffect(() => {
    if (over) onOver();
    // Once, when the time is over; the list is polled anyway.
  }, [over]);
  return <span className="number">{timeLeft(Math.min(left, whole))}</span>;
}
