import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Correction } from '../../../../src/api/corrections.js';
import { get, segment } from '../../api/client.js';
import { Button } from '../../parts/actions/button.js';
import { Time } from '../../parts/values/time.js';
import { Problem } from '../../parts/waiting/problem.js';
import { counted } from '../../parts/words.js';
import { changeInWords } from './change-words.js';
import './trail.css';

const FIRST_SHOWN = 8;

/** Loads the corrections of a record, oldest first, and again after each new one. */
export function useTrail(
  kind: 'photographs' | 'remarks',
  { id, corrected }: { id: string; corrected: number },
) {
  return useQuery({
    queryKey: ['inspection', 'trail', kind, id, corrected],
    queryFn: ({ signal }) =>
      get<{ corrections: Correction[] }>(`inspection/${kind}/${segment(id)}`, { signal }),
    enabled: corrected > 0,
    placeholderData: (before, query) => (query?.queryKey[3] === id ? before : undefined),
    select: ({ corrections }) => corrections,
  });
}

/** The corrections of a record, newest first, with author, time and reason. */
export function Trail({ trail }: { trail: ReturnType<typeof useTrail> }) {
  const [all, setAll] = useState(false);
  const { data = [], error, refetch } = trail;
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (data.length === 0) return null;
  const shown = data.toReversed().slice(0, all ? undefined : FIRST_SHOWN);
  return (
    <section className="trail" aria-label="Corrections made">
      <h3>{counted(data.length, 'correction')}</h3>
      <ol>
        {shown.map((correction, index) => (
          <li key={data.length - index}>
            {changeInWords(correction).map((line, at) => (
              <p key={at}>{line}</p>
            ))}
            {correction.reason !== undefined && <p className="trail-reason">“{correction.reason}”</p>}
            <small>
              {correction.by}, <Time at={correction.at} />
            </small>
          </li>
        ))}
      </ol>
      {shown.length < data.length && (
        <Button small onPress={() => setAll(true)}>
          Show {data.length - shown.length} earlier
        </Button>
      )}
    </section>
  );
}
