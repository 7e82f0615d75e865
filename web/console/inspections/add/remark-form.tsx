import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { uniqueId } from '../../../common/unique-id.js';
import { ApiError } from '../../api/api-error.js';
import { Button } from '../../parts/actions/button.js';
import { Field } from '../../parts/entry/field.js';
import { NoteIcon } from '../../parts/icons.js';
import { toast } from '../../parts/overlay/toast.js';
import { Problem } from '../../parts/waiting/problem.js';
import { postToFlow } from '../flow-call.js';
import type { Place } from '../place.js';

interface Attempt {
  remark: string;
  messageId: string;
}

/** Records a remark on the area. The text stays until it is recorded. */
export function RemarkForm({
  place: { flowId, sessionId },
  area,
  onRecorded,
  onRefused,
}: {
  place: Place;
  area: string;
  onRecorded: () => void;
  onRefused: () => void;
}) {
  const [text, setText] = useState('');
  // A retry of the same words uses the same message id, so the remark is recorded once.
  const [failed, setFailed] = useState<Attempt>();
  const recording = useMutation({
    mutationFn: ({ remark, messageId }: Attempt) =>
      postToFlow(flowId, 'inspection/capture', {
        query: { flowId },
        body: {
          flowId,
          sessionId,
          remark,
          messageId,
          ...(area.trim() === '' ? {} : { area: area.trim() }),
        },
      }),
    onSuccess: (_, { remark }) => {
      // Words typed since then stay.
      setText((now) => (now.trim() === remark ? '' : now));
      setFailed(undefined);
      toast('Remark recorded.');
      onRecorded();
    },
    onError: (error, attempt) => {
      setFailed(attempt);
      if (error instanceof ApiError && error.status === 401) onRefused();
    },
  });
  const record = (event: FormEvent) => {
    event.preventDefault();
    const remark = text.trim();
    if (remark === '' || recording.isPending) return;
    recording.mutate(failed?.remark === remark ? failed : { remark, messageId: `console-${uniqueId()}` });
  };
  return (
    <form className="remark-form" onSubmit={record}>
      <Field
        label={area.trim() === '' ? 'Remark' : `Remark on ${area.trim()}`}
        value={text}
        onChange={setText}
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
