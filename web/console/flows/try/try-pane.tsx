import { useEffect, useMemo, useRef } from 'react';
import { Button } from '../../parts/actions/button.js';
import { ChatIcon, PlusIcon } from '../../parts/icons.js';
import { counted } from '../../parts/words.js';
import type { StoredFlow } from '../versions/use-stored-flow.js';
import { formFieldsOf } from './form-fields.js';
import { TryComposer } from './try-composer.js';
import { TryForm } from './try-form.js';
import { TryMessage } from './try-message.js';
import './try-pane.css';
import type { TryInput } from './try-runner.js';
import type { Trying } from './use-try.js';

interface TryPaneProps {
  stored: StoredFlow;
  trying: Trying;
  /** The text has unsaved changes, which do not run. */
  isDirty: boolean;
  isSaving: boolean;
  onSave: () => void;
}

/** A chat with the saved flow. */
export function TryPane({ stored, trying, isDirty, isSaving, onSave }: TryPaneProps) {
  const { published, draft, edited } = stored;
  const { turns, isRunning } = trying;
  const isFaulty = (draft?.errors.length ?? 0) > 0;
  const runnable = isFaulty ? published : edited;
  const fields = useMemo(() => formFieldsOf(runnable), [runnable]);
  const version = draft ? 'draft' : published.version;
  const sending = {
    isRunning,
    onSend: (input: TryInput) => trying.ask(input, { version, streams: edited.isStreaming }),
    onStop: trying.stop,
  };
  return (
    <div className="try">
      <div className="try-head">
        <p>
          {draft ? 'Runs the saved draft.' : `Runs version ${version}, which is published.`}{' '}
          {counted(published.price, 'credit')} a message.
        </p>
        {turns.length > 0 && (
          <Button look="quiet" small icon={<PlusIcon />} onPress={trying.restart}>
            New chat
          </Button>
        )}
      </div>
      {isDirty && (
        <div className="try-unsaved" role="status">
          <p>Your changes are not saved yet. {draft ? 'The saved draft' : `Version ${version}`} runs.</p>
          <Button small isPending={isSaving} onPress={onSave}>
            Save first
          </Button>
        </div>
      )}
      <Turns trying={trying} />
      {fields ? <TryForm fields={fields} {...sending} /> : <TryComposer {...sending} />}
    </div>
  );
}

function Turns({ trying: { turns } }: { trying: Trying }) {
  const list = useRef<HTMLDivElement>(null);
  const last = turns.at(-1);
  useEffect(() => {
    const { current } = list;
    if (current) current.scrollTop = current.scrollHeight;
  }, [last?.answer.length, last?.state, last?.reconnecting, turns.length]);
  if (turns.length === 0)
    return (
      <div className="try-none">
        <ChatIcon />
        <p>Send a message. The picture shows its path through the flow.</p>
      </div>
    );
  return (
    <div
      ref={list}
      className="try-turns"
      tabIndex={0}
      role="log"
      aria-label="Chat"
      aria-busy={last?.state === 'running' && !last.reconnecting}
    >
      {turns.map((turn) => (
        <TryMessage key={turn.id} turn={turn} />
      ))}
    </div>
  );
}
