import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { SessionItem } from '../../../src/api/inspections.js';
import type { RenderAnswerView } from '../../../src/api/reports.js';
import { post } from '../api/client.js';
import { Button } from '../parts/actions/button.js';
import { AnchorButton } from '../parts/actions/link-button.js';
import { Field } from '../parts/entry/field.js';
import { ReportIcon } from '../parts/icons.js';
import { Problem } from '../parts/waiting/problem.js';
import { counted } from '../parts/words.js';

/** Renders the report of the photographs that have arrived, or shows the one that was created in the chat. */
export function RenderStep({ item, onRendered }: { item: SessionItem | undefined; onRendered: () => void }) {
  const [address, setAddress] = useState('');
  const rendering = useMutation({
    mutationFn: ({ sessionId, flowId }: SessionItem) =>
      post<RenderAnswerView>('pdf/render', {
        templateId: 'inspection',
        source: {
          type: 'inspection',
          sessionId,
          flowId,
          meta: { reportType: 'interim', ...(address.trim() === '' ? {} : { address: address.trim() }) },
        },
      }),
    onSuccess: onRendered,
  });
  if (!item)
    return (
      <p className="first-waiting">
        Available when photographs have arrived. In the chat, <em>finish</em> does the same.
      </p>
    );
  return (
    <>
      <p>
        The report shows all photographs that are not in a report yet, grouped by area, each with its UK time.
        Enter the full address with the postcode. It is printed on the cover.
      </p>
      <div className="first-form">
        <Field
          label="Property address"
          placeholder="14 Acacia Avenue, Leeds LS1 4AP"
          value={address}
          onChange={setAddress}
          maxLength={300}
        />
        <Button
          look="primary"
          icon={<ReportIcon />}
          isPending={rendering.isPending}
          onPress={() => rendering.mutate(item)}
        >
          Render the report
        </Button>
      </div>
      {rendering.error && <Problem error={rendering.error} onRetry={() => rendering.mutate(item)} />}
      <div role="status">{rendering.data && <Rendered answer={rendering.data} />}</div>
    </>
  );
}

function Rendered({ answer }: { answer: RenderAnswerView }) {
  const { file } = answer;
  if (file)
    return (
      <div className="first-file">
        <p>
          <strong>{file.filename}</strong>
          <br />
          {counted(file.pages, 'page')}, {counted(file.photographs, 'photograph')}
        </p>
        <AnchorButton href={file.url} target="_blank" rel="noopener">
          Open the report
        </AnchorButton>
      </div>
    );
  if (answer.reason === 'render_in_progress') return <p>A report is being created. Try again in a moment.</p>;
  const [last] = answer.previousReports;
  return (
    <p>
      Every photograph is already in a report.{' '}
      {last?.url !== undefined && (
        <a href={last.url} target="_blank" rel="noopener">
          Open {last.filename}
        </a>
      )}
    </p>
  );
}
