import type { ChatState } from './chat-state.js';
import type { Input } from './conversation.js';
import type { Decision } from './decision.js';

/** What the flow suggests to say next, or asks to decide. */
export function NextSteps({
  state: { followUps, decision },
  onSend,
}: {
  state: ChatState;
  onSend: (input: Input) => void;
}) {
  return decision ? (
    <Choices decision={decision} onSend={onSend} />
  ) : (
    <Chips prompts={followUps} onSend={onSend} />
  );
}

export function Chips({ prompts, onSend }: { prompts: readonly string[]; onSend: (input: Input) => void }) {
  if (prompts.length === 0) return null;
  return (
    <div className="chips">
      {prompts.map((prompt) => (
        <button key={prompt} type="button" className="chip" onClick={() => onSend({ text: prompt })}>
          {prompt}
        </button>
      ))}
    </div>
  );
}

function Choices({
  decision: { choices, startNodeId },
  onSend,
}: {
  decision: Decision;
  onSend: (input: Input) => void;
}) {
  const node = startNodeId === undefined ? {} : { startNodeId };
  return (
    <div className="chips" role="group" aria-label="The chat waits for your decision">
      {choices.map(({ type, label }) => (
        <button
          key={type}
          type="button"
          className={`chip ${type}`}
          onClick={() => onSend({ text: label, humanInput: { type, ...node } })}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
