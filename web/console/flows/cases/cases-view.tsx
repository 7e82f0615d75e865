import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { CaseView } from '../../../../src/api/cases.js';
import type { FlowView } from '../../../../src/api/flows.js';
import { RemovalDialog } from '../../parts/overlay/removal-dialog.js';
import { EmptyState } from '../../parts/waiting/empty-state.js';
import { Fetched } from '../../parts/waiting/fetched.js';
import { Problem } from '../../parts/waiting/problem.js';
import type { CasesSearch } from '../../search.js';
import { CaseDialog } from './case-dialog.js';
import { CaseTable } from './case-table.js';
import { EditCaseDialog } from './edit-case-dialog.js';
import { RunBar } from './run-bar.js';
import { RunResults } from './run-results.js';
import { useCaseRun } from './use-case-run.js';
import { casesPath, useCases } from './use-cases.js';

const route = getRouteApi('/console/flows/$id/cases');

/** The cases of a flow, their latest run, and what starts the next one. */
export function CasesView({ flow }: { flow: FlowView }) {
  const { run: runId, version } = route.useSearch();
  const navigate = useNavigate({ from: '/console/flows/$id/cases' });
  const cases = useCases(flow.id);
  const against = version === 'draft' && flow.draft ? version : undefined;
  const search = (next: CasesSearch) => void navigate({ search: next, replace: true });
  const show = (next?: string) =>
    search({ ...(next === undefined ? {} : { run: next }), ...(against && { version: against }) });
  const { run, starting, stopping } = useCaseRun(flow.id, runId, show);
  const [editing, setEditing] = useState<CaseView>();
  const [shown, setShown] = useState<CaseView>();
  const [deleting, setDeleting] = useState<CaseView>();
  return (
    <>
      <RunBar
        flow={flow}
        version={against ?? 'published'}
        onVersion={(next) =>
          search({
            ...(runId === undefined ? {} : { run: runId }),
            ...(next === 'draft' && { version: next }),
          })
        }
        hasCases={(cases.data?.length ?? 0) > 0}
        run={run.data}
        starting={starting}
        stopping={stopping}
      />
      {runId !== undefined && run.error && <Problem error={run.error} />}
      {runId !== undefined && run.data && <RunResults run={run.data} />}
      <h2 className="cases-head">The cases</h2>
      <Fetched queries={[cases]} label="Loading the cases">
        {cases.data &&
          (cases.data.length === 0 ? (
            <EmptyState title="No case yet">
              Open an execution of this flow and keep it as a case. It then shows whether a changed flow still
              answers well.
            </EmptyState>
          ) : (
            <CaseTable
              cases={cases.data}
              onRun={(id, calls) =>
                starting.mutate({ caseIds: [id], calls, ...(against && { version: against }) })
              }
              onOpen={(id) => void navigate({ to: '/console/executions/$id', params: { id } })}
              onShow={setShown}
              onEdit={setEditing}
              onDelete={setDeleting}
            />
          ))}
      </Fetched>
      {shown && <CaseDialog shown={shown} onClose={() => setShown(undefined)} />}
      {editing && <EditCaseDialog key={editing.id} edited={editing} onClose={() => setEditing(undefined)} />}
      <RemovalDialog
        list={casesPath(flow.id)}
        id={deleting?.id}
        title={`Delete the case “${deleting?.name ?? ''}”?`}
        action="Delete"
        done="Deleted."
        onClose={() => setDeleting(undefined)}
        onRemoved={() => void cases.refetch()}
      >
        The copy of the caller’s words and files is deleted with it. The execution stays.
      </RemovalDialog>
    </>
  );
}
