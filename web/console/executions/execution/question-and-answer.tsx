import type { ExecutionKind } from '../../../../src/api/execution-terms.js';
import type { ExecutionWithTrace } from '../../../../src/api/executions.js';
import { ValueView } from '../../parts/values/value-view.js';

/** The question and the answer, as text. */
export function QuestionAndAnswer({
  execution: { kind, question, answer, status },
}: {
  execution: ExecutionWithTrace;
}) {
  if (question === undefined && answer === undefined && kind !== 'prediction') return null;
  return (
    <div className="question-answer">
      <Question kind={kind} question={question} />
      <section>
        <h2>Answer</h2>
        {answer === undefined ? (
          <p className="value-none">{status === 'running' ? 'Not yet.' : 'None.'}</p>
        ) : (
          <ValueView value={answer} label="answer" />
        )}
      </section>
    </div>
  );
}

/** The question, or for a capture its remark. */
function Question({ kind, question }: { kind: ExecutionKind; question: string | undefined }) {
  if (question === undefined && kind !== 'prediction') return null;
  const name = kind === 'capture' ? 'Remark' : 'Question';
  return (
    <section>
      <h2>{name}</h2>
      <ValueView value={question ?? null} label={name.toLowerCase()} />
    </section>
  );
}
