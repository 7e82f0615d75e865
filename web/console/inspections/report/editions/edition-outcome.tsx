import type { RenderAnswerView, ReportView } from '../../../../../src/api/reports.js';
import { warningSentences } from '../../../../common/warning.js';
import { Button } from '../../../parts/actions/button.js';
import { AnchorButton } from '../../../parts/actions/link-button.js';
import { ExternalIcon } from '../../../parts/icons.js';
import { Time } from '../../../parts/values/time.js';
import { bytesInWords, counted } from '../../../parts/words.js';
import { serviceAreaName } from '../../photographs/service-areas.js';
import { Notes } from '../past/report-card.js';
import { SaveReport } from '../past/save-report.js';

/** The new edition: its number, the edition it replaces and its file. */
export function EditionOutcome({
  made: { file, edition, replaces, warnings, outstandingAreas },
  reports,
  onClose,
}: {
  made: Extract<RenderAnswerView, { executionId: string }>;
  reports: readonly ReportView[];
  onClose: () => void;
}) {
  const replaced = reports.find(({ id }) => id === replaces);
  return (
    <div className="edition-made">
      <h3>Edition {edition}</h3>
      <p>
        It replaces <code>{replaces}</code>
        {replaced && (
          <>
            {' '}
            of <Time at={replaced.date} form="long" />
          </>
        )}
        , which stays in the list.
      </p>
      <p>
        {file.filename}, {counted(file.pages, 'page')}, {counted(file.photographs, 'photograph')},{' '}
        {bytesInWords(file.bytes)}
      </p>
      <Notes
        notes={[
          ...(outstandingAreas.length > 0
            ? [`Outstanding: ${outstandingAreas.map(serviceAreaName).join(', ')}.`]
            : []),
          ...warningSentences(warnings),
        ]}
      />
      <div className="dialog-actions">
        <Button onPress={onClose}>Done</Button>
        <SaveReport id={file.id} filename={file.filename} />
        <AnchorButton look="primary" href={`${file.url}&inline=true`} target="_blank" rel="noopener">
          <ExternalIcon /> Open the PDF
        </AnchorButton>
      </div>
    </div>
  );
}
