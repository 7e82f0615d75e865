import { Button } from '../../parts/actions/button.js';
import { Time } from '../../parts/values/time.js';
import { Problem } from '../../parts/waiting/problem.js';
import { counted } from '../../parts/words.js';
import type { useExecutions } from './use-executions.js';

/** The end of the list: loading more, an error, or the total. */
export function ListFoot({
  query,
  count,
}: {
  query: ReturnType<typeof useExecutions>['query'];
  count: number;
}) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage, data } = query;
  if (isFetchNextPageError) return <Problem error={error} onRetry={() => void fetchNextPage()} />;
  const reached = instantOfId(data?.pages.at(-1)?.nextCursor ?? undefined);
  if (isFetchingNextPage || hasNextPage)
    return (
      <p className="executions-foot">
        {isFetchingNextPage ? 'Loading more' : 'There are more'}
        {reached !== undefined && (
          <>
            , searched back to <Time at={reached} />
          </>
        )}
        {!isFetchingNextPage && (
          <Button small onPress={() => void fetchNextPage()}>
            Load more
          </Button>
        )}
      </p>
    );
  return count === 0 ? null : <p className="executions-foot">{counted(count, 'execution')} in all.</p>;
}

/** Returns the time in an execution's id, its first 48 bits. */
function instantOfId(id: string | undefined): string | undefined {
  const ms = Number.parseInt(id?.replace('-', '').slice(0, 12) ?? '', 16);
  return Number.isFinite(ms) ? new Date(ms).toISOString() : undefined;
}
