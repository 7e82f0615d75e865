import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { pastedFiles } from '../../../common/pasted-files.js';
import { Button } from '../../parts/actions/button.js';
import { CloseIcon, ImageIcon, StopIcon } from '../../parts/icons.js';
import { type Attached, attach } from './photographs.js';
import type { TryInput } from './try-runner.js';

interface TryComposerProps {
  isRunning: boolean;
  onSend: (input: TryInput) => void;
  onStop: () => void;
}

/** The field for the next message. Enter sends; Shift+Enter starts a new line. */
export function TryComposer({ isRunning, onSend, onStop }: TryComposerProps) {
  const [text, setText] = useState('');
  const [attached, setAttached] = useState<readonly Attached[]>([]);
  const [refusal, setRefusal] = useState<string>();
  const isEmpty = text.trim() === '' && attached.length === 0;
  const send = (event: Pick<FormEvent, 'preventDefault'>) => {
    event.preventDefault();
    if (isEmpty || isRunning) return;
    onSend({ text: text.trim(), attached });
    setText('');
    setAttached([]);
    setRefusal(undefined);
  };
  const add = async (files: readonly File[]) => {
    const taken = await attach(attached, files).catch((error: Error) => ({
      attached,
      refusal: error.message,
    }));
    setAttached(taken.attached);
    setRefusal(taken.refusal);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) send(event);
  };
  return (
    <form className="try-composer" onSubmit={send}>
      {attached.length > 0 && (
        <AttachedList
          attached={attached}
          onRemove={(one) => setAttached(attached.filter((other) => other !== one))}
        />
      )}
      {refusal !== undefined && (
        <p className="field-fault" role="alert">
          {refusal}
        </p>
      )}
      <div className="try-write">
        <FileTrigger
          acceptedFileTypes={['image/*']}
          allowsMultiple
          onSelect={(list) => void add([...(list ?? [])])}
        >
          <Button look="quiet" icon={<ImageIcon />} label="Attach photographs" />
        </FileTrigger>
        <textarea
          className="field-input"
          aria-label="Message"
          placeholder="Message"
          rows={Math.min(6, text.split('\n').length)}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={({ clipboardData }) => {
            const files = pastedFiles(clipboardData);
            if (files.length > 0) void add(files);
          }}
        />
        {isRunning ? (
          <Button icon={<StopIcon />} onPress={onStop}>
            Stop
          </Button>
        ) : (
          <Button look="primary" type="submit" isDisabled={isEmpty}>
            Send
          </Button>
        )}
      </div>
    </form>
  );
}

const AttachedList = ({
  attached,
  onRemove,
}: {
  attached: readonly Attached[];
  onRemove: (one: Attached) => void;
}) => (
  <ul className="try-attached" aria-label="Attached photographs">
    {attached.map((one, index) => (
      <li key={index}>
        <ImageIcon />
        <span>{one.name}</span>
        <Button
          look="quiet"
          small
          icon={<CloseIcon />}
          label={`Remove ${one.name}`}
          onPress={() => onRemove(one)}
        />
      </li>
    ))}
  </ul>
);
