import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CaseRunView, CaseView } from '../../../../src/api/cases.js';
import { get, post, segment } from '../../api/client.js';
import { Problem } from '../../parts/waiting/problem.js';
import { counted } from '../../parts/words.js';
import { RunResults } from './run-results.js';
import { pauseAfter } from './use-case-run.js';
import { casesPath, useCases } from './use-cases.js';
import './cases.css';

/** Runs the cases with recorded calls against the draft, which is free, and shows those that fail or answer differently. */
export function DraftCases({ flowId, revision }: { flowId: string; revision: string }) {
  const cases = useCases(flowId);
  const recorded = (cases.data ?? []).filter(({ calls }) => calls === 'recorded');
  if (cases.error) return <Problem error={cases.error} />;
  if (!cases.data?.length) return null;
  const live = cases.data.length - recorded.length;
  return (
    <section className="cases-run" aria-label="Cases">
      {recorded.length > 0 && <DraftRun flowId={flowId} revision={revision} cases={recorded} />}
      <p className="cases-note">
        {live > 0 && `${counted(live, 'case')} with live calls did not run, since they cost credit. `}
        <Link to="/console/flows/$id/cases" params={{ id: flowId }} search={{ version: 'draft' }}>
          All cases
        </Link>
      </p>
    </section>
  );
}

function DraftRun({
  flowId,
  revision,
  cases,
}: {
  flowId: string;
  revision: string;
  cases: readonly CaseView[];
}) {
  const started = useQuery({
    queryKey: ['draft-cases', flowId, revision],
    queryFn: () =>
      post<CaseRunView>(`${casesPath(flowId)}/run`, {
        version: 'draft',
        caseIds: cases.map(({ id }) => id),
      }),
    staleTime: Infinity,
    retry: false,
  });
  const id = started.data?.id;
  const run = useQuery({
    queryKey: ['case-runs', flowId, id],
    queryFn: ({ signal }) => get<CaseRunView>(`${casesPath(flowId)}/runs/${segment(id ?? '')}`, { signal }),
    enabled: id !== undefined,
    refetchInterval: ({ state: { data } }) => pauseAfter(data),
  });
  const error = started.error ?? run.error;
  if (error) return <Problem error={error} />;
  if (!run.data) return <p role="status">The cases run against the draft.</p>;
  const { results } = run.data;
  const telling = results.filter(({ passed, changed }) => !passed || changed);
  return <RunResults run={{ ...run.data, results: telling }} />;
}
