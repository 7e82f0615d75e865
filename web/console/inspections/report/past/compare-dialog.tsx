import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RenderAnswerView, ReportView } from '../../../../../src/api/reports.js';
import { get, post } from '../../../api/client.js';
import { Button } from '../../../parts/actions/button.js';
import { AnchorButton } from '../../../parts/actions/link-button.js';
import { Select } from '../../../parts/entry/select.js';
import { ExternalIcon } from '../../../parts/icons.js';
import { Dialog } from '../../../parts/overlay/dialog.js';
import { Problem } from '../../../parts/waiting/problem.js';
import { instantInWords } from '../../../parts/words.js';

interface CompareDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** The reports of this inspection. */
  own: readonly ReportView[];
  onMade: () => void;
}

/** Compares two reports, usually a check-in and a check-out, in a third one. */
export function CompareDialog({ isOpen, onClose, own, onMade }: CompareDialogProps) {
  return (
    <Dialog title="Compare two reports" isOpen={isOpen} onClose={onClose}>
      <CompareForm own={own} onMade={onMade} />
    </Dialog>
  );
}

function CompareForm({ own, onMade }: Pick<CompareDialogProps, 'own' | 'onMade'>) {
  const all = useQuery({
    queryKey: ['reports', 'all'],
    queryFn: ({ signal }) => get<{ data: ReportView[] }>('pdf/reports', { signal }),
  });
  const reports = [...own, ...(all.data?.data ?? []).filter(({ id }) => !own.some((one) => one.id === id))];
  const [before, setBefore] = useState(own[1]?.id ?? '');
  const [after, setAfter] = useState(own[0]?.id ?? '');
  const comparing = useMutation({
    mutationFn: () =>
      post<RenderAnswerView>('pdf/render', {
        templateId: 'comparison',
        source: { type: 'comparison', before, after },
      }),
    onSuccess: onMade,
  });
  const options = [
    { value: '', name: 'Choose a report' },
    ...reports.map(({ id, filename, date, sessionId }) => ({
      value: id,
      name: `${filename}, ${instantInWords(date) ?? date}, ${sessionId}`,
    })),
  ];
  const ready = before !== '' && after !== '' && before !== after;
  const file = comparing.data?.file;
  return (
    <div className="compare">
      <p>Creates a third report that shows both side by side, room by room. Both originals stay.</p>
      {all.error && <Problem error={all.error} onRetry={() => void all.refetch()} />}
      <Select label="Before" options={options} value={before} onChange={setBefore} />
      <Select label="After" options={options} value={after} onChange={setAfter} />
      {comparing.error && <Problem error={comparing.error} />}
      <div className="dialog-actions" role="status">
        {file && (
          <AnchorButton href={`${file.url}&inline=true`} target="_blank" rel="noopener">
            <ExternalIcon /> Open {file.filename}
          </AnchorButton>
        )}
        <Button
          look="primary"
          isDisabled={!ready}
          isPending={comparing.isPending}
          onPress={() => comparing.mutate()}
        >
          Compare
        </Button>
      </div>
    </div>
  );
}
