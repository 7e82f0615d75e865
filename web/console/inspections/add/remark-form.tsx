import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { BrowserStorage } from '../../../common/browser-storage.js';
import { uniqueId } from '../../../common/unique-id.js';
import { ApiError } from '../../api/api-error.js';
import { Button } from '../../parts/actions/button.js';
import { Field } from '../../parts/entry/field.js';
import { NoteIcon } from '../../parts/icons.js';
import { toast } from '../../parts/overlay/toast.js';
import { Problem } from '../../parts/waiting/problem.js';
import { postToFlow } from '../flow-call.js';
import { type Place, placeName } from '../place.js';

interface Attempt {
  remark: string;
  area: string;
  messageId: string;
}

/** A remark that is not recorded yet. */
interface Draft {
  text: string;
  /** A retry of the same words on the same area uses the same message id, so the remark is recorded once. */
  attempt?: Attempt;
}

const storage = new BrowserStorage(() => sessionStorage, 'console:remark:');

const store = (name: string, draft: Draft): void =>
  void storage.set(name, draft.text === '' ? undefined : draft);

/** Returns what is left once a remark is recorded: words typed since then. */
const without = (remark: string, { text }: Draft): Draft => ({ text: text.trim() === remark ? '' : text });

/** Records a remark on the area. The tab stores the text until it is recorded. */
export function RemarkForm({
  place,
  area,
  onRecorded,
  onRefused,
}: {
  place: Place;
  area: string;
  onRecorded: () => void;
  onRefused: () => void;
}) {
  const { flowId, sessionId } = place;
  const name = placeName(place);
  const [draft, setDraft] = useState<Draft>(() => storage.get<Draft>(name) ?? { text: '' });
  const change = (next: Draft) => {
    store(name, next);
    setDraft(next);
  };
  const recording = useMutation({
    mutationFn: ({ remark, area: wanted, messageId }: Attempt) =>
      postToFlow(flowId, 'inspection/capture', {
        query: { flowId },
        body: { flowId, sessionId, remark, messageId, ...(wanted === '' ? {} : { area: wanted }) },
      }),
    onSuccess: (_, { remark }) => {
      // Stored here too, since the form may have left the page.
      store(name, without(remark, storage.get<Draft>(name) ?? { text: '' }));
      setDraft((now) => without(remark, now));
      toast('Remark recorded.');
      onRecorded();
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status === 401) onRefused();
    },
  });
  const record = (event: FormEvent) => {
    event.preventDefault();
    const remark = draft.text.trim();
    if (remark === '' || recording.isPending) return;
    const on = area.trim();
    const before = draft.attempt;
    const attempt =
      before?.remark === remark && before.area === on
        ? before
        : { remark, area: on, messageId: `console-${uniqueId()}` };
    change({ ...draft, attempt });
    recording.mutate(attempt);
  };
  return (
    <form className="remark-form" onSubmit={record}>
      <Field
        label={area.trim() === '' ? 'Remark' : `Remark on ${area.trim()}`}
        value={draft.text}
        onChange={(text) => change({ ...draft, text })}
        rows={2}
        placeholder="Scuff on the door, agreed with the tenant"
        hint="Printed under the photographs of its area as an additional comment."
      />
      {recording.error && <Problem error={recording.error} />}
      <Button type="submit" icon={<NoteIcon />} isPending={recording.isPending}>
        Record the remark
      </Button>
    </form>
  );
}
