import { useRouterState } from '@tanstack/react-router';
import { memo, useCallback, useEffect, useMemo, useRef } from 'react';
import type { ExecutionRecord } from '../../../../src/api/executions.js';
import { Loading } from '../../parts/waiting/loading.js';
import { Problem } from '../../parts/waiting/problem.js';
import type { ExecutionsSearch } from '../../search.js';
import './execution-list.css';
import { ExecutionCells } from './execution-row.js';
import { ListFoot } from './list-foot.js';
import { ListHead } from './list-head.js';
import { placeOf, rememberPlace } from './list-place.js';
import { NoExecutions } from './no-executions.js';
import { useExecutions } from './use-executions.js';
import { useListFocus } from './use-list-focus.js';
import { frame, useRows } from './use-rows.js';

/** The executions that match the filters. Give it a key per set of filters. */
export function ExecutionList({ search, onClear }: { search: ExecutionsSearch; onClear: () => void }) {
  const entry = useRouterState({ select: ({ location }) => location.state.__TSR_key ?? '' });
  const reading = useRef<() => boolean>(() => false);
  const holds = useCallback(() => (frame()?.scrollTop ?? 0) > 4 || reading.current(), []);
  const { query, rows, waiting, admit, liveness } = useExecutions(search, holds);
  const { list, virtual, height } = useRows(rows, placeOf(entry)?.scrollTop);
  const { activeId, onFocus, hasFocus } = useListFocus(
    rows,
    list,
    (index) => virtual.scrollToIndex(index),
    placeOf(entry)?.activeId,
  );
  // Memoised, since there may be a hundred thousand rows.
  const isActiveListed = useMemo(() => rows.some(({ id }) => id === activeId), [rows, activeId]);
  reading.current = hasFocus;
  useRememberedPlace(entry, activeId);

  const items = virtual.getVirtualItems();
  useMoreRows(query, rows.length, items.at(-1)?.index ?? 0);
  const showNew = () => {
    admit();
    frame()?.scrollTo({ top: 0 });
  };
  if (query.isPending) return <Loading label="Loading the executions" lines={10} />;
  if (query.error && rows.length === 0)
    return <Problem error={query.error} onRetry={() => void query.refetch()} />;
  const entryId = isActiveListed ? activeId : rows[items[0]?.index ?? 0]?.id;
  return (
    <div className="executions">
      <ListHead liveness={liveness} waiting={waiting} onShowNew={showNew} />
      {rows.length === 0 && !query.hasNextPage ? (
        <NoExecutions search={search} onClear={onClear} />
      ) : (
        <div
          ref={list}
          role="grid"
          aria-label="Executions"
          aria-rowcount={query.hasNextPage ? -1 : rows.length}
          className="executions-rows"
          style={{ height: virtual.getTotalSize() }}
        >
          {items.map(({ index, key, start }) => (
            <Row
              key={key}
              execution={rows[index]!}
              index={index}
              top={start - virtual.options.scrollMargin}
              height={height}
              isEntry={rows[index]!.id === entryId}
              onFocus={onFocus}
            />
          ))}
        </div>
      )}
      <ListFoot query={query} count={rows.length} />
    </div>
  );
}

interface RowProps {
  execution: ExecutionRecord;
  index: number;
  top: number;
  height: number;
  isEntry: boolean;
  onFocus: (id: string) => void;
}

const Row = memo(function Row({ execution, index, top, height, isEntry, onFocus }: RowProps) {
  return (
    <div
      role="row"
      aria-rowindex={index + 1}
      className={`execution-row execution-row-${execution.status}`}
      data-id={execution.id}
      tabIndex={isEntry ? 0 : -1}
      onFocus={() => onFocus(execution.id)}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <ExecutionCells execution={execution} />
    </div>
  );
});

function useRememberedPlace(entry: string, activeId: string | undefined): void {
  const place = useRef({ scrollTop: 0, activeId });
  place.current.activeId = activeId;
  useEffect(() => {
    const outer = frame();
    const note = () => (place.current.scrollTop = outer?.scrollTop ?? 0);
    outer?.addEventListener('scroll', note, { passive: true });
    return () => {
      outer?.removeEventListener('scroll', note);
      rememberPlace(entry, place.current);
    };
  }, [entry]);
}

/** Rows before the end at which the next page is requested: a few screens. */
const AHEAD = 60;
/** Empty pages of a search that are loaded automatically; after that the person decides. */
const MOST_EMPTY = 20;

function useMoreRows(query: ReturnType<typeof useExecutions>['query'], count: number, last: number): void {
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage, data } = query;
  const pages = data?.pages.length ?? 0;
  const empty = data?.pages.slice(-MOST_EMPTY).every((page) => page.data.length === 0) ?? false;
  const exhausted = empty && pages >= MOST_EMPTY;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError && !exhausted && last >= count - AHEAD)
      void fetchNextPage();
  }, [hasNextPage, isFetching, isFetchNextPageError, exhausted, last, count, fetchNextPage, pages]);
}
