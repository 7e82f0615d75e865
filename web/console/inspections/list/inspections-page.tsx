import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { SessionItem } from '../../../../src/api/inspections.js';
import { useFlows } from '../../api/use-flows.js';
import { Button } from '../../parts/actions/button.js';
import { SearchField } from '../../parts/entry/search-field.js';
import { Select } from '../../parts/entry/select.js';
import { InspectionIcon, PlusIcon } from '../../parts/icons.js';
import { Page } from '../../parts/page.js';
import { EmptyState } from '../../parts/waiting/empty-state.js';
import { Fetched } from '../../parts/waiting/fetched.js';
import './inspections-page.css';
import { NewInspection } from './new-inspection.js';
import { SessionTable } from './session-table.js';
import { useSessions } from './use-sessions.js';

const route = getRouteApi('/console/inspections');

/** Lists the inspections, the last changed first. */
export function InspectionsPage() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/console/inspections' });
  const flows = useFlows();
  const sessions = useSessions(search);
  const set = useCallback(
    (change: { q?: string; flowId?: string; begin?: 'yes' | '' }) =>
      void navigate({
        search: (before) =>
          Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== '')),
        replace: true,
      }),
    [navigate],
  );
  const onQuery = useCallback((q: string) => set({ q }), [set]);
  const rows = sessions.data?.pages.flatMap(({ data }) => data) ?? [];
  const names = new Map(flows.data?.map(({ id, name }) => [id, name]));
  const begin = (
    <Button look="primary" icon={<PlusIcon />} onPress={() => set({ begin: 'yes' })}>
      New inspection
    </Button>
  );
  return (
    <Page title="Inspections" actions={begin}>
      <div className="inspections-filters">
        <SearchField
          label="Search inspections"
          placeholder="Address, postcode, inspector or id"
          value={search.q ?? ''}
          onChange={onQuery}
        />
        <Select
          label="Flow"
          showLabel={false}
          value={search.flowId ?? ''}
          onChange={(flowId) => set({ flowId })}
          options={[{ value: '', name: 'Any flow' }, ...flowOptions(names, search.flowId)]}
        />
      </div>
      <Fetched queries={[sessions]} label="Loading the inspections" lines={8}>
        {rows.length > 0 ? (
          <SessionTable rows={rows} nameOf={(item) => names.get(item.flowId) ?? item.flowId} />
        ) : (
          sessions.data && <None filtered={search.q !== undefined || search.flowId !== undefined} />
        )}
      </Fetched>
      <More sessions={sessions} shown={rows} />
      <NewInspection
        isOpen={search.begin === 'yes'}
        flows={flows}
        flowId={search.flowId}
        onClose={() => set({ begin: '' })}
      />
    </Page>
  );
}

function flowOptions(names: ReadonlyMap<string, string>, chosen: string | undefined) {
  const known = [...names].map(([value, name]) => ({ value, name }));
  return chosen === undefined || names.has(chosen) ? known : [...known, { value: chosen, name: chosen }];
}

function None({ filtered }: { filtered: boolean }) {
  if (filtered)
    return (
      <EmptyState title="No inspection matches" icon={<InspectionIcon />}>
        Try a shorter part of the address or the id, or choose “Any flow”.
      </EmptyState>
    );
  return (
    <EmptyState title="No inspection yet" icon={<InspectionIcon />}>
      Inspections appear here when photographs arrive from the chat or the API. To add your own, press New
      inspection.
    </EmptyState>
  );
}

function More({
  sessions,
  shown,
}: {
  sessions: ReturnType<typeof useSessions>;
  shown: readonly SessionItem[];
}) {
  if (!sessions.hasNextPage) return null;
  return (
    <div className="inspections-more">
      <Button isPending={sessions.isFetchingNextPage} onPress={() => void sessions.fetchNextPage()}>
        Show more
      </Button>
      <span>The {shown.length} that changed last are shown.</span>
    </div>
  );
}
