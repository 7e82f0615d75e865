import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { FlowVersionName } from '../../../../src/api/flow-terms.js';
import type { SettingChange, VersionSummary } from '../../../../src/api/flows.js';
import { LinkButton } from '../../parts/actions/link-button.js';
import { DataTable } from '../../parts/data-table.js';
import { Page } from '../../parts/page.js';
import { Tag } from '../../parts/values/status-tag.js';
import { Time } from '../../parts/values/time.js';
import { Fetched } from '../../parts/waiting/fetched.js';
import { toFlow } from '../to-flow.js';
import { type StoredFlow, useStoredFlow } from './use-stored-flow.js';
import { useVersions } from './use-versions.js';
import { VersionView } from './version-view.js';
import './versions-page.css';

const route = getRouteApi('/console/flows/$id/versions');

/** The versions of a flow and the changes of its settings, and one version compared with another. */
export function VersionsPage() {
  const { id } = route.useParams();
  const { show, against } = route.useSearch();
  const navigate = useNavigate({ from: '/console/flows/$id/versions' });
  const { stored, queries } = useStoredFlow(id);
  const { versions, changes } = useVersions(id);
  return (
    <Page
      title={stored ? `Versions of ${stored.published.name}` : 'Versions'}
      back={toFlow(id, stored?.published.name)}
    >
      <Fetched queries={[...queries, versions, changes]} label="Loading the versions">
        {stored && versions.data && changes.data && (
          <div className="versions">
            {show !== undefined && (
              <VersionView
                key={String(show)}
                stored={stored}
                show={show}
                against={against}
                versions={versions.data.map(({ version }) => version)}
                onCompare={(next) => void navigate({ search: { show, against: next }, replace: true })}
              />
            )}
            <Versions stored={stored} versions={versions.data} shown={show} />
            <Changes changes={changes.data} />
          </div>
        )}
      </Fetched>
    </Page>
  );
}

function Versions({
  stored: { published },
  versions,
  shown,
}: {
  stored: StoredFlow;
  versions: readonly VersionSummary[];
  shown: FlowVersionName | undefined;
}) {
  const { id } = published;
  return (
    <section aria-labelledby="versions-heading">
      <h2 id="versions-heading">Versions</h2>
      <DataTable
        label="Versions"
        rows={versions}
        keyOf={({ version }) => String(version)}
        columns={[
          {
            name: 'Version',
            cell: ({ version }) => (
              <>
                {version} {version === published.version && <Tag tone="good">Published</Tag>}
              </>
            ),
          },
          { name: 'Name', cell: ({ name = '' }) => <bdi>{name}</bdi> },
          { name: 'Note', cell: ({ note = '' }) => <bdi className="versions-note">{note}</bdi> },
          { name: 'Published', cell: ({ publishedAt }) => <Time at={publishedAt} /> },
          { name: 'By', cell: ({ by }) => <bdi>{by}</bdi> },
          {
            name: 'Actions',
            kind: 'actions',
            cell: ({ version }) => (
              <LinkButton
                small
                look="quiet"
                to="/console/flows/$id/versions"
                params={{ id }}
                search={{ show: version }}
                aria-label={`Open version ${version}`}
                {...(version === shown ? { 'aria-current': 'true' as const } : {})}
              >
                Open
              </LinkButton>
            ),
          },
        ]}
      />
    </section>
  );
}

const valueText = (value: unknown): string => (value === null ? 'not set' : JSON.stringify(value));

function Changes({ changes }: { changes: readonly SettingChange[] }) {
  return (
    <section aria-labelledby="changes-heading">
      <h2 id="changes-heading">Changes of settings</h2>
      {changes.length === 0 ? (
        <p>No setting has been changed since the flow was created.</p>
      ) : (
        <DataTable
          label="Changes of settings"
          rows={changes}
          keyOf={({ at, setting }) => `${at} ${setting}`}
          columns={[
            { name: 'Setting', cell: ({ setting }) => setting },
            { name: 'Old', cell: ({ old }) => <code className="versions-note">{valueText(old)}</code> },
            { name: 'New', cell: ({ new: now }) => <code className="versions-note">{valueText(now)}</code> },
            { name: 'Changed', cell: ({ at }) => <Time at={at} /> },
            { name: 'By', cell: ({ by }) => <bdi>{by}</bdi> },
          ]}
        />
      )}
    </section>
  );
}
