import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { remove, segment } from '../../api/client.js';
import { Button } from '../../parts/actions/button.js';
import { LinkButton } from '../../parts/actions/link-button.js';
import { Confirm } from '../../parts/overlay/confirm.js';
import { toast } from '../../parts/overlay/toast.js';
import { Tag } from '../../parts/values/status-tag.js';
import { Time } from '../../parts/values/time.js';
import { counted } from '../../parts/words.js';
import './draft-line.css';
import { PublishDialog } from './publish-dialog.js';
import { readStored, setStored, type StoredFlow } from './use-stored-flow.js';

/** States which version callers get, and if a draft is ahead of it, with what can be done about that. */
export function DraftLine({ stored, isDirty }: { stored: StoredFlow; isDirty: boolean }) {
  const { published, draft } = stored;
  const { id, version } = published;
  const [asking, setAsking] = useState<'publish' | 'discard'>();
  const close = () => setAsking(undefined);
  const client = useQueryClient();
  const faults = draft?.errors.length ?? 0;
  const discard = async () => {
    const headers = { 'If-Match': `"${draft!.revision}"` };
    await remove(`flows/${segment(id)}/draft`, { headers }).catch(async (error: unknown) => {
      await readStored(client, id).catch(() => undefined);
      throw error;
    });
    setStored(client, published, undefined);
    toast('Draft discarded.');
  };
  return (
    <div className="draft-line">
      <p role="status">
        <Tag tone={draft ? 'warn' : 'good'}>{draft ? 'Draft' : `Version ${version}`}</Tag>
        {draft ? (
          <>
            Saved by <bdi>{draft.by}</bdi> at <Time at={draft.updatedAt} />.{' '}
            <strong>Callers get version {version}.</strong>
            {draft.basedOn < version &&
              ` It was begun on version ${draft.basedOn}: compare before you publish.`}
            {faults > 0 && ` ${counted(faults, 'fault')} to correct before it can be published.`}
          </>
        ) : (
          <>Published. Callers get this version{isDirty && '; your changes are not saved'}.</>
        )}
      </p>
      <div className="draft-line-actions">
        <LinkButton
          small
          to="/console/flows/$id/cases"
          params={{ id }}
          search={draft ? { version: 'draft' } : {}}
        >
          Cases
        </LinkButton>
        <LinkButton
          small
          to="/console/flows/$id/versions"
          params={{ id }}
          search={draft ? { show: 'draft' } : {}}
        >
          {draft ? 'Compare' : 'Versions'}
        </LinkButton>
        {draft && (
          <>
            <Button small look="quiet" onPress={() => setAsking('discard')}>
              Discard draft
            </Button>
            <Button small isDisabled={isDirty || faults > 0} onPress={() => setAsking('publish')}>
              Publish
            </Button>
          </>
        )}
      </div>
      {draft && asking === 'publish' && <PublishDialog published={published} draft={draft} onClose={close} />}
      <Confirm
        title="Discard the draft?"
        action="Discard"
        isOpen={asking === 'discard'}
        onClose={close}
        onConfirm={discard}
      >
        The saved draft is deleted. Version {version} stays published.
      </Confirm>
    </div>
  );
}
