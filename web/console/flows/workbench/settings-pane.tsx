import { useEffect, useMemo, useState } from 'react';
import { Button } from '../../parts/actions/button.js';
import { latePart } from '../../parts/waiting/late-part.js';
import { Loading } from '../../parts/waiting/loading.js';
import { Problem } from '../../parts/waiting/problem.js';
import { counted } from '../../parts/words.js';
import { definitionIn, textOfSettings } from '../flow-text.js';
import type { StoredFlow } from '../versions/use-stored-flow.js';
import { FlowPane } from './flow-pane.js';
import { Notice } from './notices.js';
import { TheirsDialog } from './theirs-dialog.js';
import { operateOn } from './use-editing.js';
import { useReading } from './use-reading.js';
import { useSettings } from './use-settings.js';

const JsonEditor = latePart(() => import('../editor/json-editor.js'), <Loading label="Loading the editor" />);

/** The settings of a flow, which take effect at once and are part of no version: as a form, or as JSON. */
export function SettingsPane({
  stored,
  onDirty,
}: {
  stored: StoredFlow;
  /** Reports whether there are unsaved settings. */
  onDirty: (isDirty: boolean) => void;
}) {
  const { published } = stored;
  const settings = useSettings(stored);
  const { document, text, isDirty, save, theirs } = settings;
  const [isJson, setJson] = useState(false);
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  const reading = useReading(
    { text, document },
    { part: 'setting', complete: (members) => ({ ...definitionIn(published), ...members }) },
  );
  const { faults, knowledge } = reading;
  const operate = useMemo(() => operateOn(document), [document]);
  return (
    <div className="definition">
      <div className="definition-tools">
        <Button
          small
          look="primary"
          isDisabled={!isDirty || faults.length > 0}
          isPending={settings.isPending}
          onPress={save}
        >
          Save settings
        </Button>
        <Button look="quiet" small isDisabled={!isDirty} onPress={settings.revert}>
          Revert
        </Button>
        <Button look="quiet" small onPress={() => setJson(!isJson)}>
          {isJson ? 'Edit in a form' : 'Edit as JSON'}
        </Button>
        <p className={faults.length > 0 ? 'definition-faults' : 'definition-keys'}>
          {faults.length > 0 ? counted(faults.length, 'fault') : 'Settings take effect at once'}
        </p>
      </div>
      {settings.isBehind && (
        <Notice>
          <p>Someone else has saved the settings since you started editing.</p>
          <Button small onPress={() => settings.showTheirs(published)}>
            View theirs
          </Button>
        </Notice>
      )}
      {settings.error && <Problem error={settings.error} />}
      <div className="definition-editor">
        {isJson ? (
          <JsonEditor
            label="Settings"
            document={document}
            faults={faults}
            knowledge={knowledge}
            onSave={save}
          />
        ) : (
          <FlowPane document={document} reading={reading} operate={operate} />
        )}
      </div>
      {theirs && (
        <TheirsDialog
          title="Someone else saved the settings"
          mine={text}
          theirs={textOfSettings(theirs)}
          isPending={settings.isPending}
          onClose={() => settings.showTheirs(undefined)}
          onTake={() => settings.take(theirs)}
          onSaveOver={() => settings.saveOver(theirs)}
        >
          They were saved after you started editing.
        </TheirsDialog>
      )}
    </div>
  );
}
