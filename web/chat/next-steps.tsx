import { DecisionForm } from './decision-form.js';
import type { ChatState } from './turns/chat-state.js';
import type { Input } from './turns/input.js';

/** Buttons for the flow's suggested follow-ups, or for its approval question. */
export function NextSteps({
  state: { followUps, decision },
  onSend,
}: {
  state: ChatState;
  onSend: (input: Input) => void;
}) {
  return decision ? (
    <DecisionForm key={decision.startNodeId} decision={decision} onSend={onSend} />
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
