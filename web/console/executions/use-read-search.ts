import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { get } from '../api/client.js';
import type { Execution } from '../api/types/executions.js';
import type { Listed } from '../api/types/listed.js';
import type { ExecutionsSearch } from '../search.js';
import { digitsOfTelephone } from './telephone.js';

/**
 * What to look for. A chat typed as a telephone number for people is looked for by its digits alone, unless a chat has
 * the very name that was typed. `digits`: that is so; `isReading`: that is not known yet.
 */
export function useReadSearch(given: ExecutionsSearch): {
  search: ExecutionsSearch;
  digits: string | undefined;
  isReading: boolean;
} {
  const { chatId } = given;
  const telephone = chatId === undefined ? undefined : digitsOfTelephone(chatId);
  const named = useQuery({
    queryKey: ['executions', 'named', chatId],
    queryFn: ({ signal }) => get<Listed<Execution>>('executions', { query: { chatId, limit: 1 }, signal }),
    enabled: telephone !== undefined,
    staleTime: Infinity,
  });
  const digits = named.data?.data.length === 0 ? telephone : undefined;
  const search = useMemo(
    () => (digits === undefined ? given : { ...given, chatId: digits }),
    [given, digits],
  );
  return { search, digits, isReading: telephone !== undefined && named.isPending };
}
