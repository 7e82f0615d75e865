import { useQuery } from '@tanstack/react-query';
import type { FlowVersionName } from '../../../../src/api/flow-terms.js';
import type { FlowVersionView, SettingChange, VersionSummary } from '../../../../src/api/flows.js';
import { get, segment } from '../../api/client.js';
import { everyPage } from '../../api/every-page.js';
import type { StoredFlow } from './use-stored-flow.js';

const MOST = 1_000;

/** Reads the versions of a flow and the changes of its settings, newest first. */
export function useVersions(id: string) {
  const versions = useQuery({
    queryKey: ['flow-versions', id, 'list'],
    queryFn: ({ signal }) =>
      everyPage<VersionSummary>(`flows/${segment(id)}/versions`, { limit: MOST }, signal),
  });
  const changes = useQuery({
    queryKey: ['flow-versions', id, 'settings'],
    queryFn: ({ signal }) =>
      everyPage<SettingChange>(`flows/${segment(id)}/setting-changes`, { limit: MOST }, signal),
  });
  return { versions, changes };
}

/** Reads the definition of a version, or of the draft. */
export function useDefinition(stored: StoredFlow | undefined, version: FlowVersionName | undefined) {
  const { published, draft } = stored ?? {};
  const isOld = typeof version === 'number' && published !== undefined && version !== published.version;
  const id = published?.id ?? '';
  const query = useQuery({
    queryKey: ['flow-versions', id, version],
    queryFn: ({ signal }) => get<FlowVersionView>(`flows/${segment(id)}/versions/${version}`, { signal }),
    enabled: isOld,
    staleTime: Infinity,
    retry: false,
  });
  const definition: object | undefined =
    version === undefined ? undefined : version === 'draft' ? draft : isOld ? query.data : published;
  return { definition, query: isOld ? query : undefined };
}
