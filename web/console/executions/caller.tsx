import { useQuery } from '@tanstack/react-query';
import type { ApiKeyView } from '../../../src/api/access.js';
import type { ExecutionWithTrace } from '../../../src/api/executions.js';
import type { PageOf } from '../../../src/api/shapes.js';
import { get } from '../api/client.js';

/** The caller's address and the name of its key. */
export function Caller({ caller: { address, apiKeyId, origin } }: { caller: ExecutionWithTrace['caller'] }) {
  const { data } = useQuery({
    queryKey: ['api-keys'],
    queryFn: ({ signal }) => get<PageOf<ApiKeyView>>('api-keys', { signal }),
    enabled: apiKeyId !== undefined,
    staleTime: 60_000,
  });
  const key = apiKeyId === undefined ? undefined : data?.data.find(({ id }) => id === apiKeyId);
  return (
    <span className="fact-caller">
      <span>{address ?? 'unknown address'}</span>
      {apiKeyId !== undefined && (
        <span className="fact-more">{key ? `key “${key.name}”` : `key ${apiKeyId}`}</span>
      )}
      {origin !== undefined && <span className="fact-more">from {origin}</span>}
    </span>
  );
}
