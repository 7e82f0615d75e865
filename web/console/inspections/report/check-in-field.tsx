import { useQuery } from '@tanstack/react-query';
import type { SessionItem } from '../../../../src/api/inspections.js';
import type { PageOf } from '../../../../src/api/shapes.js';
import { META_MEMBERS } from '../../../../src/inspection/report/meta-members.js';
import { get } from '../../api/client.js';
import { Button } from '../../parts/actions/button.js';
import { Field } from '../../parts/entry/field.js';
import { instantInWords } from '../../parts/words.js';
import type { Draft } from './draft.js';

const MOST_FOUND = 3;
/** Characters of a postcode or an address below which none is searched for. */
const LEAST = 5;

interface CheckInFieldProps {
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
  /** The session of the check-out. */
  sessionId: string;
}

/** The report of the check-in, at a check-out: its id, or one of the latest reports of the same postcode or address. */
export function CheckInField({ draft, onChange, sessionId }: CheckInFieldProps) {
  const { previousReport, postcode, address } = draft;
  const q = (postcode.trim() || address.trim()).slice(0, 200);
  const found = useQuery({
    queryKey: ['inspection', 'check-ins', q],
    queryFn: ({ signal }) =>
      get<PageOf<SessionItem>>('inspection/sessions', { query: { q, limit: MOST_FOUND + 1 }, signal }),
    enabled: previousReport === '' && q.length >= LEAST,
  });
  const sessions = previousReport === '' ? (found.data?.data ?? []) : [];
  const earlier = sessions
    .filter((each) => each.lastReport && each.sessionId !== sessionId)
    .slice(0, MOST_FOUND);
  return (
    <div className="report-check-in">
      <Field
        label={META_MEMBERS.previousReport.label}
        value={previousReport}
        onChange={(text) => onChange({ previousReport: text })}
        autoComplete="off"
        hint="The id of the check-in's report, or a link to it. The chat's checklist then lists its items."
      />
      {earlier.map(({ title, lastReport }) => (
        <Button
          key={lastReport!.id}
          small
          onPress={() => onChange({ previousReport: lastReport!.id })}
        >{`Use the report of ${instantInWords(lastReport!.at, 'long')}, ${title ?? lastReport!.filename}`}</Button>
      ))}
    </div>
  );
}
