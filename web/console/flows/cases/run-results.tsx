import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CaseResult, CaseRunView } from '../../../../src/api/cases.js';
import { Button } from '../../parts/actions/button.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Tag } from '../../parts/values/status-tag.js';
import { numberInWords } from '../../parts/words.js';
import { PassedTag } from './passed-tag.js';
import { ResultDialog } from './result-dialog.js';

const SHORT = 160;

/** The progress of a run and its results, before and after side by side. */
export function RunResults({ run }: { run: CaseRunView }) {
  const { status, version, total, done, passed, results, error } = run;
  const [shown, setShown] = useState<CaseResult>();
  const against = version === 'draft' ? 'the draft' : `version ${version}`;
  const isRunning = status === 'running';
  const failing = done - passed;
  const sentence = `${isRunning ? `${numberInWords(done)} of ${numberInWords(total)} have run` : `${numberInWords(passed)} of ${numberInWords(total)} passed`} against ${against}${isRunning && failing > 0 ? `, ${numberInWords(failing)} failed` : ''}.`;
  return (
    <section className="cases-run" aria-label="Results">
      <div className="cases-progress">
        <p role="status">{sentence}</p>
        {isRunning && <progress aria-label="Progress" value={done} max={Math.max(total, 1)} />}
        {error !== undefined && <p className="cases-error">{error}</p>}
      </div>
      {results.length > 0 && (
        <DataTable
          className="cases-results"
          label="Results"
          columns={columnsOf(setShown)}
          rows={results}
          keyOf={({ caseId, executionId }) => `${caseId ?? ''}${executionId ?? ''}`}
        />
      )}
      {shown && <ResultDialog result={shown} onClose={() => setShown(undefined)} />}
    </section>
  );
}

const columnsOf = (show: (result: CaseResult) => void): readonly Column<CaseResult>[] => [
  { name: 'Case', cell: (result) => <ResultName result={result} /> },
  {
    name: 'Result',
    cell: ({ passed, changed }) => (
      <span className="cases-tags">
        <PassedTag passed={passed} />
        {changed && <Tag tone="warn">Changed</Tag>}
      </span>
    ),
  },
  { name: 'Before', cell: ({ before }) => <Excerpt text={before} none="no answer" /> },
  {
    name: 'Now',
    cell: ({ answer, error, checks }) => (
      <>
        <Excerpt text={error ?? answer} none="no answer" />
        {checks
          .filter(({ passed }) => !passed)
          .map(({ detail }, index) => (
            <p key={index} className="cases-fault">
              {detail}
            </p>
          ))}
      </>
    ),
  },
  {
    name: 'Details',
    kind: 'actions',
    cell: (result) => (
      <Button
        small
        look="quiet"
        label={`Details of ${result.name ?? result.executionId ?? 'the case'}`}
        onPress={() => show(result)}
      >
        Details
      </Button>
    ),
  },
];

function ResultName({ result: { name, executionId } }: { result: CaseResult }) {
  if (executionId === undefined) return <bdi>{name ?? 'A case'}</bdi>;
  return (
    <Link to="/console/executions/$id" params={{ id: executionId }}>
      {executionId.slice(0, 13)}…
    </Link>
  );
}

function Excerpt({ text, none }: { text: string | null; none: string }) {
  if (text === null || text === '') return <span className="cases-none">{none}</span>;
  return (
    <span className="cases-excerpt" dir="auto">
      {text.length > SHORT ? `${text.slice(0, SHORT)}…` : text}
    </span>
  );
}
