import { useId, useState } from 'react';
import type { ClickType } from '../../src/api/execution-terms.js';
import { texts } from './texts.js';
import type { ToolCall, Decision } from './turns/decision.js';
import type { Input } from './turns/input.js';

/** The buttons that answer the flow's approval question, and a comment field when it accepts one. */
export function DecisionForm({
  decision: { choices, startNodeId, feedback, calls },
  onSend,
}: {
  decision: Decision;
  onSend: (input: Input) => void;
}) {
  const [words, setWords] = useState('');
  const comment = words.trim();
  const decide = (type: ClickType, label: string) =>
    onSend({
      text: comment || label,
      humanInput: { type, startNodeId, ...(comment === '' ? {} : { feedback: comment }) },
    });
  return (
    <div className="decision" role="group" aria-label={texts.decision}>
      {calls.map((call, index) => (
        <CallToApprove key={index} call={call} />
      ))}
      {feedback && <Words words={words} onChange={setWords} />}
      <div className="chips">
        {choices.map(({ type, label }) => (
          <button key={type} type="button" className={`chip ${type}`} onClick={() => decide(type, label)}>
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}

function Words({ words, onChange }: { words: string; onChange: (words: string) => void }) {
  const id = useId();
  return (
    <div className="decision-words">
      <label htmlFor={id}>{texts.decisionWords}</label>
      <textarea
        id={id}
        rows={2}
        maxLength={65_536}
        value={words}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

const CallToApprove = ({ call }: { call: ToolCall }) => (
  <figure className="decision-call">
    <figcaption>{call.tool}</figcaption>
    <pre tabIndex={0}>{call.arguments}</pre>
  </figure>
);
