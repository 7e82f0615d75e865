import type { ReactNode } from 'react';
import { Loading } from './loading.js';
import { Problem } from './problem.js';

interface FetchedProps {
  /** The requests, all of which are required. */
  queries: readonly { error: unknown; refetch: () => Promise<unknown> }[];
  /** The message while they load: “Loading the keys”. */
  label?: string;
  lines?: number;
  /** Empty until the data is loaded. */
  children?: ReactNode;
}

/** Shows errors with a retry button, then the content, or a placeholder while loading. */
export function Fetched({ queries, children, ...sketch }: FetchedProps) {
  const failed = queries.filter(({ error }) => error !== null);
  return (
    <>
      {failed[0] && (
        <Problem error={failed[0].error} onRetry={() => failed.forEach(({ refetch }) => void refetch())} />
      )}
      {children || (failed.length === 0 && <Loading {...sketch} />)}
    </>
  );
}
