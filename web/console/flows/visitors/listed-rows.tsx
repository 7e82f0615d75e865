import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PageOf } from '../../../../src/api/shapes.js';
import { get, segment } from '../../api/client.js';
import { Button } from '../../parts/actions/button.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Time } from '../../parts/values/time.js';
import { Fetched } from '../../parts/waiting/fetched.js';
import { ChatOfFlow } from './chat-of-flow.js';

interface ListedRow {
  id: string;
  chatId: string;
  createdDate: string;
}

/** A paged list of a flow, newest first: its own columns, then the chat and the time. */
export function ListedRows<Row extends ListedRow>({
  list,
  flowId,
  label,
  columns,
  empty,
}: {
  list: 'feedback' | 'leads';
  flowId: string;
  label: string;
  columns: readonly Column<Row>[];
  empty: ReactNode;
}) {
  const query = useInfiniteQuery({
    queryKey: [list, flowId],
    queryFn: ({ pageParam, signal }) =>
      get<PageOf<Row>>(`${list}/${segment(flowId)}`, { query: { limit: 100, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  const rows = query.data?.pages.flatMap(({ data }) => data);
  const common: readonly Column<Row>[] = [
    { name: 'Chat', cell: ({ chatId }) => <ChatOfFlow flowId={flowId} chatId={chatId} /> },
    { name: 'When', cell: ({ createdDate }) => <Time at={createdDate} /> },
  ];
  return (
    <Fetched queries={[query]} label={`Loading ${label}`}>
      {rows &&
        (rows.length === 0 ? (
          empty
        ) : (
          <DataTable
            className="visitors-table"
            label={label}
            columns={[...columns, ...common]}
            rows={rows}
            keyOf={({ id }) => id}
            inParts
          />
        ))}
      {query.hasNextPage && (
        <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
          Show more
        </Button>
      )}
    </Fetched>
  );
}
