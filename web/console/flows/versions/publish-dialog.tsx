import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FlowDraftView, FlowView } from '../../../../src/api/flows.js';
import { ApiError } from '../../api/api-error.js';
import { post, segment } from '../../api/client.js';
import { Button } from '../../parts/actions/button.js';
import { Field } from '../../parts/entry/field.js';
import { Dialog } from '../../parts/overlay/dialog.js';
import { toast } from '../../parts/overlay/toast.js';
import { Problem } from '../../parts/waiting/problem.js';
import { DraftCases } from '../cases/draft-cases.js';
import { definitionIn } from '../flow-text.js';
import { useAuthor } from './author.js';
import { ChangeList } from './change-list.js';
import { readStored, setStored } from './use-stored-flow.js';

/** Publishes the draft as it is shown, with a name and a note. */
export function PublishDialog({
  published,
  draft,
  onClose,
}: {
  published: FlowView;
  draft: FlowDraftView;
  onClose: () => void;
}) {
  const [name, setName] = useState('');
  const [note, setNote] = useState('');
  const [author, setAuthor] = useAuthor();
  const client = useQueryClient();
  const next = published.version + 1;
  const publishing = useMutation({
    mutationFn: () =>
      post<FlowView>(
        `flows/${segment(published.id)}/publish`,
        { name, note, author },
        { headers: { 'If-Match': `"${draft.revision}"` } },
      ),
    onSuccess: (flow) => {
      setStored(client, flow, undefined);
      void client.invalidateQueries({ queryKey: ['flow-versions', flow.id] });
      toast(`Version ${flow.version} is published.`);
      onClose();
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status < 500)
        void readStored(client, published.id).catch(() => undefined);
    },
  });
  return (
    <Dialog title={`Publish version ${next}`} isOpen wide onClose={onClose}>
      <div className="publish">
        <ChangeList before={definitionIn(published)} after={definitionIn(draft)} />
        <DraftCases flowId={published.id} revision={draft.revision} />
        <Field
          label="Name"
          value={name}
          onChange={setName}
          maxLength={200}
          hint="Optional: a few words for the list of versions."
        />
        <Field
          label="Note"
          value={note}
          onChange={setNote}
          rows={3}
          maxLength={10_000}
          hint="Optional: what has changed, and why."
        />
        <Field
          label="Author"
          value={author}
          onChange={setAuthor}
          maxLength={200}
          hint="Your name, which this browser remembers."
        />
        <p>
          Calls from now on get version {next}. Running calls keep the version they began with. You can go
          back to version {published.version} at any time.
        </p>
        {publishing.error && <Problem error={publishing.error} />}
      </div>
      <div className="dialog-actions">
        <Button onPress={onClose}>Not yet</Button>
        <Button look="primary" isPending={publishing.isPending} onPress={() => publishing.mutate()}>
          Publish
        </Button>
      </div>
    </Dialog>
  );
}
