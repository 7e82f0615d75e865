import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { FlowVersionName } from '../../../../src/api/flow-terms.js';
import type { FlowDraftView } from '../../../../src/api/flows.js';
import { post, segment } from '../../api/client.js';
import { Button } from '../../parts/actions/button.js';
import { Select } from '../../parts/entry/select.js';
import { Confirm } from '../../parts/overlay/confirm.js';
import { toast } from '../../parts/overlay/toast.js';
import { latePart } from '../../parts/waiting/late-part.js';
import { Loading } from '../../parts/waiting/loading.js';
import { Problem } from '../../parts/waiting/problem.js';
import { definitionIn, textOfFlow } from '../flow-text.js';
import { authorMember } from './author.js';
import { ChangeList } from './change-list.js';
import { NodeChanges } from './node-changes.js';
import { setStored, type StoredFlow } from './use-stored-flow.js';
import { useDefinition } from './use-versions.js';

const DifferenceGraph = latePart(
  () => import('./difference-graph.js'),
  <Loading label="Drawing the flow" lines={3} />,
);
const TextDifference = latePart(() => import('./text-difference.js'), <Loading label="Loading the text" />);

const nameOf = (version: FlowVersionName): string => (version === 'draft' ? 'Draft' : `Version ${version}`);

/** One version, which cannot be edited, and what it has changed in another one. */
export function VersionView({
  stored,
  show,
  against,
  versions,
  onCompare,
}: {
  stored: StoredFlow;
  show: FlowVersionName;
  against: FlowVersionName | undefined;
  versions: readonly number[];
  onCompare: (against: FlowVersionName) => void;
}) {
  const { published, draft } = stored;
  const other = against ?? beforeOf(show, published.version);
  const shown = useDefinition(stored, show);
  const base = useDefinition(stored, other);
  const error = shown.query?.error ?? base.query?.error;
  const choices = [...(draft ? ['draft' as const] : []), ...versions].filter((each) => each !== show);
  const [selected, select] = useState<string>();
  const { definition } = shown;
  const after = useMemo(() => definitionIn(definition ?? {}), [definition]);
  const before = useMemo(
    () => definitionIn(base.definition ?? definition ?? {}),
    [base.definition, definition],
  );
  if (error) return <Problem error={error} />;
  if (!definition)
    return show === 'draft' && !draft ? <p>There is no draft.</p> : <Loading label="Loading the version" />;
  return (
    <section className="version-view" aria-label={nameOf(show)}>
      <div className="version-head">
        <h2>{nameOf(show)}</h2>
        {choices.length > 0 && (
          <Select
            label="Compared with"
            value={String(other)}
            onChange={(next) => onCompare(next === 'draft' ? 'draft' : Number(next))}
            options={choices.map((each) => ({ value: String(each), name: nameOf(each) }))}
          />
        )}
        {show !== 'draft' && <RestoreButton stored={stored} version={show} />}
      </div>
      <div className="version-faces">
        <div className="version-picture">
          <DifferenceGraph
            label={`Picture of ${nameOf(show)}`}
            before={before}
            after={after}
            selected={selected}
            onSelect={select}
          />
        </div>
        {other !== show && (
          <div className="version-changes">
            <ChangeList before={before} after={after} selected={selected} onSelect={select} />
            {selected === undefined ? (
              <p className="faint">Select a node to see what has changed in it.</p>
            ) : (
              <NodeChanges id={selected} before={before} after={after} />
            )}
          </div>
        )}
      </div>
      <div className="version-text">
        <TextDifference
          label={`Text of ${nameOf(show)}`}
          before={textOfFlow(before)}
          after={textOfFlow(after)}
        />
      </div>
    </section>
  );
}

/** Returns the version with which one is compared at first: the one before it; for the draft, the published one. */
function beforeOf(show: FlowVersionName, published: number): FlowVersionName {
  if (show === 'draft') return published;
  return show > 1 ? show - 1 : show;
}

function RestoreButton({ stored: { published, draft }, version }: { stored: StoredFlow; version: number }) {
  const [asking, setAsking] = useState(false);
  const client = useQueryClient();
  const navigate = useNavigate();
  const { id } = published;
  const restoring = useMutation({
    mutationFn: () =>
      post<FlowDraftView>(`flows/${segment(id)}/versions/${version}/restore`, authorMember(), {
        headers: { 'If-Match': `"${(draft ?? published).revision}"` },
      }),
    onSuccess: (restored) => {
      setStored(client, published, restored);
      const faults = restored.errors.length;
      toast(
        `Version ${version} is now the draft.${faults > 0 ? ' It names something that no longer exists: see its faults.' : ''}`,
      );
      void navigate({ to: '/console/flows/$id', params: { id } });
    },
  });
  return (
    <>
      <Button isPending={restoring.isPending} onPress={() => (draft ? setAsking(true) : restoring.mutate())}>
        Restore into the draft
      </Button>
      {restoring.error && <Problem error={restoring.error} />}
      <Confirm
        title="Replace the draft?"
        action="Replace it"
        isOpen={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => restoring.mutateAsync()}
      >
        The draft that {draft?.by} saved is replaced by version {version}. What callers get does not change
        until you publish.
      </Confirm>
    </>
  );
}
