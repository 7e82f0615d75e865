import type { CaseReport, CaseResult } from '../../../../src/api/cases.js';
import { Dialog } from '../../parts/overlay/dialog.js';
import { ValueView } from '../../parts/values/value-view.js';
import { counted, durationInWords, numberInWords } from '../../parts/words.js';
import { PassedTag } from './passed-tag.js';

/** One result in full: both answers side by side, the checks, and what the flow asked differently. */
export function ResultDialog({ result, onClose }: { result: CaseResult; onClose: () => void }) {
  const { name, executionId, passed, error, checks, answer, before, requests, unused } = result;
  const { reports = [] } = result;
  return (
    <Dialog title={name ?? executionId ?? 'Result'} wide isOpen onClose={onClose}>
      <div className="cases-detail">
        <p className="cases-tags">
          <PassedTag passed={passed} /> <span className="cases-none">{costOf(result)}</span>
        </p>
        {error !== undefined && <p className="cases-error">{error}</p>}
        <div className="cases-pair">
          <Answer name="Before" text={before} />
          <Answer name="Now" text={answer} />
        </div>
        {checks.length > 0 && (
          <ul className="cases-checks" aria-label="Checks">
            {checks.map((check, index) => (
              <li key={index}>
                <PassedTag passed={check.passed} /> {check.detail}
              </li>
            ))}
          </ul>
        )}
        {requests.map((request) => (
          <section key={`${request.node} ${request.visit}`}>
            <h3>
              {request.node} was asked differently
              {request.visit > 1 && `, visit ${request.visit}`}
            </h3>
            <div className="cases-pair">
              <ValueView value={request.before} label={`Request of ${request.node} before`} />
              <ValueView value={request.after} label={`Request of ${request.node} now`} />
            </div>
          </section>
        ))}
        {reports.length > 0 && (
          <section>
            <h3>Reports made, deleted when the case ended</h3>
            <ul>
              {reports.map((report, index) => (
                <li key={index}>{reportInWords(report)}</li>
              ))}
            </ul>
          </section>
        )}
        {unused.length > 0 && (
          <section>
            <h3>Calls that the flow no longer makes</h3>
            <ul>
              {unused.map((call) => (
                <li key={call}>{call}</li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Dialog>
  );
}

function Answer({ name, text }: { name: string; text: string | null }) {
  return (
    <section>
      <h3>{name}</h3>
      <div className="cases-answer" role="region" aria-label={name} tabIndex={0} dir="auto">
        {text ?? <span className="cases-none">No answer</span>}
      </div>
    </section>
  );
}

function reportInWords({ filename, pages, photographs, warnings, mailed }: CaseReport): string {
  const facts = [
    counted(pages, 'page'),
    counted(photographs, 'photograph'),
    ...(mailed ? ['not mailed, though the flow mails it'] : []),
  ];
  return [`${filename}: ${facts.join(', ')}.`, ...warnings.map(({ message }) => message)].join(' ');
}

function costOf({ calls, credits, tokens, durationMs }: CaseResult): string {
  const parts = [
    `${calls} calls`,
    ...(credits > 0 ? [`${numberInWords(credits)} credits`] : []),
    ...(tokens ? [`${numberInWords(tokens.inputTokens + tokens.outputTokens)} tokens`] : []),
    durationInWords(durationMs),
  ];
  return parts.join(', ');
}
