import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { BrowserStorage } from '../../../common/browser-storage.js';
import { call, get, segment } from '../../api/client.js';
import { type Place, placeName } from '../place.js';
import { changesIn, type Draft, EMPTY_DRAFT } from './draft.js';
import { changeOf, draftOf, type RecordOfInspection, withoutRecorded } from './record.js';

const storage = new BrowserStorage(() => sessionStorage, 'console:report:');

/** Holds the report's form: the record plus unsaved changes, which survive leaving the page and a reload. */
export function useDraft(place: Place) {
  const name = placeName(place);
  const client = useQueryClient();
  const queryKey = ['inspection', 'details', place.sessionId, place.flowId];
  const path = `inspection/sessions/${segment(place.sessionId)}/details`;
  const query = { flowId: place.flowId };
  const record = useQuery({
    queryKey,
    queryFn: ({ signal }) => get<RecordOfInspection>(path, { query, signal }),
  });
  const [changes, setChanges] = useState(() => changesIn(storage.get<unknown>(name)));
  const put = useCallback(
    (next: (before: Partial<Draft>) => Partial<Draft>) =>
      setChanges((before) => {
        const after = next(before);
        storage.set(name, after);
        return after;
      }),
    [name],
  );
  const draft: Draft = { ...EMPTY_DRAFT, ...draftOf(record.data?.details ?? {}), ...changes };
  const saving = useMutation({
    mutationFn: (sent: Partial<Draft>) =>
      call<RecordOfInspection>('PATCH', path, { query, body: changeOf(draft, sent) }),
    onSuccess: (saved, sent) => {
      client.setQueryData(queryKey, saved);
      // Keep what was typed during the save as unsaved.
      put((now) =>
        Object.fromEntries(
          Object.entries(now).filter(
            ([field, value]) =>
              field in withoutRecorded(now) || value !== (sent as Record<string, unknown>)[field],
          ),
        ),
      );
      void client.invalidateQueries({ queryKey: ['inspection'] });
    },
  });
  return {
    draft,
    changes,
    record,
    saving,
    isSaved: Object.keys(changeOf(draft, changes)).length === 0,
    change: useCallback((part: Partial<Draft>) => put((before) => ({ ...before, ...part })), [put]),
    save: () => saving.mutate(changes),
  };
}
