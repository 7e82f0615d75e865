import { use, useSyncExternalStore } from 'react';
import { DecisionForm } from './late-views.js';
import { RecordedContext } from './recorded/recorded-context.js';
import { isKnownArea } from './recorded/usual-areas.js';
import { texts } from './texts.js';
import type { ChatState } from './turns/chat-state.js';
import type { Input } from './turns/input.js';

interface NextStepsProps {
  state: ChatState;
  /** The photographs attached to the next message. */
  photographs: number;
  onSend: (input: Input) => void;
  /** Opens a new chat, which the flow may offer. */
  onNew: () => void;
  /** Sends what is ready to an area. Absent when the flow records no inspection. */
  onArea?: ((area: string) => void) | undefined;
}

/** Buttons for the flow's suggested follow-ups, or for its approval question. */
export function NextSteps({
  state: { followUps, decision },
  photographs,
  onSend,
  onNew,
  onArea,
}: NextStepsProps) {
  if (decision) return <DecisionForm key={decision.startNodeId} decision={decision} onSend={onSend} />;
  const onPrompt = (text: string) => (text === texts.newInspection ? onNew() : onSend({ text }));
  if (!onArea) return <Chips prompts={followUps} onPrompt={onPrompt} />;
  return <AreaSteps prompts={followUps} photographs={photographs} onPrompt={onPrompt} onArea={onArea} />;
}

interface AreaStepsProps {
  prompts: readonly string[];
  photographs: number;
  onPrompt: (prompt: string) => void;
  onArea: (area: string) => void;
}

/** Draws the suggested areas, and the other suggestions apart from them. */
function AreaSteps({ prompts, photographs, onPrompt, onArea }: AreaStepsProps) {
  const { recorded } = use(RecordedContext)!;
  const { areas: own } = useSyncExternalStore(recorded.subscribe, recorded.snapshot);
  const areas = prompts.filter((prompt) => isKnownArea(prompt, own));
  if (areas.length === 0) return <Chips prompts={prompts} onPrompt={onPrompt} />;
  const others = prompts.filter((prompt) => !areas.includes(prompt));
  return (
    <div className="area-steps">
      {photographs > 0 && <p className="chips-head">{texts.sendTo(texts.photographs(photographs))}</p>}
      <Chips prompts={areas} label={texts.areaChoices} onPrompt={onArea} />
      <Chips prompts={others} label={texts.otherChoices} kind="others" onPrompt={onPrompt} />
    </div>
  );
}

interface ChipsProps {
  prompts: readonly string[];
  label?: string;
  kind?: 'others';
  onPrompt: (prompt: string) => void;
}

export function Chips({ prompts, label, kind, onPrompt }: ChipsProps) {
  if (prompts.length === 0) return null;
  return (
    <div
      className={`chips ${kind ?? ''}`}
      {...(label === undefined ? {} : { role: 'group', 'aria-label': label })}
    >
      {prompts.map((prompt) => (
        <button key={prompt} type="button" className="chip" onClick={() => onPrompt(prompt)}>
          {prompt}
        </button>
      ))}
    </div>
  );
}
