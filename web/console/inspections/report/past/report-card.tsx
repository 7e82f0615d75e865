import type { RenderAnswerView } from '../../../../../src/api/reports.js';
import { warningSentences } from '../../../../common/warning.js';
import { CopyButton } from '../../../parts/actions/copy-button.js';
import { AnchorButton } from '../../../parts/actions/link-button.js';
import { AlertIcon, CheckIcon, ExternalIcon } from '../../../parts/icons.js';
import { bytesInWords, counted } from '../../../parts/words.js';
import { serviceAreaName } from '../../photographs/service-areas.js';
import './report-card.css';
import { canPreview, ReportPreview } from './report-preview.js';
import { SaveReport } from './save-report.js';

/** The report that was just rendered, or its preview. */
export function ReportCard({ answer }: { answer: Extract<RenderAnswerView, { executionId: string }> }) {
  const { file, preview = false, warnings, outstandingAreas, delivery } = answer;
  return (
    <section className="report-card" aria-label={preview ? 'The preview' : 'The report'}>
      <div className="report-card-head">
        <span className="report-card-done">
          <CheckIcon />
        </span>
        <div className="report-card-text">
          <h2>{file.filename}</h2>
          <p>
            {counted(file.pages, 'page')}, {counted(file.photographs, 'photograph')},{' '}
            {bytesInWords(file.bytes)}
          </p>
          {preview ? (
            <p>
              This is a preview. Each page is marked Draft, no photograph was claimed, and the file is deleted
              after an hour.
            </p>
          ) : (
            <p className="report-card-hash">
              SHA-256 <code>{file.sha256}</code> <CopyButton text={file.sha256} label="Copy the SHA-256" />
            </p>
          )}
        </div>
        <div className="report-card-actions">
          <AnchorButton look="primary" href={`${file.url}&inline=true`} target="_blank" rel="noopener">
            <ExternalIcon /> Open the PDF
          </AnchorButton>
          {!preview && <SaveReport id={file.id} filename={file.filename} />}
        </div>
      </div>
      <Notes
        notes={[
          ...(outstandingAreas.length > 0
            ? [`Outstanding: ${outstandingAreas.map(serviceAreaName).join(', ')}.`]
            : []),
          ...(delivery ? [`Email to ${delivery.email.to.join(', ')}: ${delivery.email.status}.`] : []),
          ...warningSentences(warnings),
        ]}
      />
      {!preview && canPreview() && <ReportPreview id={file.id} filename={file.filename} />}
    </section>
  );
}

export function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <ul className="report-notes">
      {notes.map((note, index) => (
        <li key={index}>
          <AlertIcon />
          <span>{note}</span>
        </li>
      ))}
    </ul>
  );
}
