import type { ExecutionWithTrace } from '../api/types/executions.js';
import { ValueView } from '../parts/value-view.js';

/** What was asked and what was answered, as text. */
export function QuestionAndAnswer({
  execution: { kind, question, answer, status },
}: {
  execution: ExecutionWithTrace;
}) {
  if (question === undefined && answer === undefined && kind !== 'prediction') return null;
  return (
    <div className="question-answer">
      <section>
        <h2>Question</h2>
        <ValueView value={question ?? null} label="question" />
      </section>
      <section>
        <h2>Answer</h2>
        {answer === undefined ? (
          <p className="value-none">{status === 'running' ? 'Not yet.' : 'There was none.'}</p>
        ) : (
          <ValueView value={answer} label="answer" />
        )}
      </section>
    </div>
  );
}
