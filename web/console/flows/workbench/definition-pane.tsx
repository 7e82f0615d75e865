import { useMemo } from 'react';
import { Button } from '../../parts/actions/button.js';
import { CopyButton } from '../../parts/actions/copy-button.js';
import { toast } from '../../parts/overlay/toast.js';
import { latePart } from '../../parts/waiting/late-part.js';
import { Loading } from '../../parts/waiting/loading.js';
import { readDefinition } from '../editor/read-definition.js';
import { formatted } from '../flow-text.js';
import type { Editing } from './use-editing.js';
import type { TextReading } from './use-reading.js';

const JsonEditor = latePart(() => import('../editor/json-editor.js'), <Loading label="Loading the editor" />);

/** The definition's text. */
export function DefinitionPane({
  editing,
  reading,
  startAt,
  onSave,
}: {
  editing: Editing;
  reading: TextReading;
  /** The position at which the editor opens. */
  startAt?: number | undefined;
  onSave: () => void;
}) {
  const { text, isDirty, editor } = editing;
  const { faults, warnings } = reading;
  const marks = useMemo(() => [...faults, ...warnings], [faults, warnings]);
  const format = () => {
    const read = readDefinition(text);
    if ('fault' in read) {
      editor.current?.jumpTo(read.fault.from);
      toast('Not formatted: the text is not valid JSON.');
    } else editing.write(formatted(read.value));
  };
  const revert = () => {
    editing.revert();
    toast('Reverted to the saved text. Press Ctrl+Z to undo.');
  };
  return (
    <div className="definition">
      <div className="definition-tools">
        <Button look="quiet" small onPress={format}>
          Format
        </Button>
        <Button look="quiet" small isDisabled={!isDirty} onPress={revert}>
          Revert
        </Button>
        <CopyButton text={text} label="Copy" showLabel />
        <p className="definition-keys">
          <kbd>Ctrl</kbd> <kbd>Space</kbd> completes, <kbd>Tab</kbd> leaves
        </p>
      </div>
      <div className="definition-editor">
        <JsonEditor
          label="Definition"
          document={editing.document}
          {...(startAt === undefined ? {} : { startAt })}
          faults={marks}
          knowledge={reading.knowledge}
          onSave={onSave}
          handle={editor}
        />
      </div>
    </div>
  );
}
