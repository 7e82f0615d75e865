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
  // A retry uses the same message id, so the remark is recorded once.
  const [name, setName] = useState(uniqueId);
  const recording = useMutation({
    mutationFn: (remark: string) =>
      postToFlow(flowId, 'inspection/capture', {
        query: { flowId },
        body: {
          flowId,
          sessionId,
          remark,
          messageId: `console-${name}`,
          ...(area.trim() === '' ? {} : { area: area.trim() }),
        },
      }),
    onSuccess: () => {
      setText('');
      setName(uniqueId());
      toast('Remark recorded.');
      onRecorded();
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status === 401) onRefused();
    },
  });
  const record = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') recording.mutate(text.trim());
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
