import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DropZone, FileTrigger } from 'react-aria-components';
import type { FlowView } from '../../../../src/api/flows.js';
import type { WarningView } from '../../../../src/api/warnings.js';
import { warningSentences } from '../../../common/warning.js';
import { ApiError } from '../../api/api-error.js';
import { post } from '../../api/client.js';
import { Button } from '../../parts/actions/button.js';
import { LinkButton } from '../../parts/actions/link-button.js';
import { Field } from '../../parts/entry/field.js';
import { UploadIcon } from '../../parts/icons.js';
import { Dialog } from '../../parts/overlay/dialog.js';
import { Problem } from '../../parts/waiting/problem.js';
import { AS_IN_THE_FILE, ImportModel, type ModelChoice, modelsOf } from './import-model.js';
import './import-dialog.css';

type Imported = Pick<FlowView, 'id' | 'name'> & { warnings?: WarningView[] };

/** An "export all" file creates several flows. Its own warnings name what was not imported. */
type Answer = Imported | { flows: Imported[]; warnings?: WarningView[] };

/** The name and id for the flow. An empty one is taken from the export or created by the service. */
interface Names {
  name: string;
  id: string;
}

/** Imports a flow from an exported file. */
export function ImportDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const [names, setNames] = useState<Names>({ name: '', id: '' });
  const [model, setModel] = useState(AS_IN_THE_FILE);
  const [file, setFile] = useState<File>();
  const importing = useMutation({
    mutationFn: async (chosen: File) => {
      const body = await bodyOf(chosen, names);
      if (isDefinition(body)) return post<Answer>('flows', body);
      return post<Answer>('flows/import', withModel(body, model));
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['flows'], exact: true }),
  });
  const close = () => {
    onClose();
    importing.reset();
    setFile(undefined);
    setNames({ name: '', id: '' });
    setModel(AS_IN_THE_FILE);
  };
  return (
    <Dialog title="Import a flow" isOpen={isOpen} onClose={close}>
      {importing.data ? (
        <Done answer={importing.data} onClose={close} />
      ) : (
        <>
          <p>
            Choose an AgentFlow V2 export, a flow from the Flowise API, an “export all” file from the Flowise
            dashboard, or a definition copied from a flow here.
          </p>
          <FileDrop file={file} onFile={setFile} />
          <div className="import-fields">
            <Field
              label="Name"
              hint="Leave empty to use the one in the file. Not for several flows at once."
              value={names.name}
              onChange={(name) => setNames({ ...names, name })}
              maxLength={200}
            />
            <Field
              label="Id"
              hint="Leave empty to use the one in the file or a new one."
              value={names.id}
              onChange={(id) => setNames({ ...names, id })}
              maxLength={64}
            />
          </div>
          <ImportModel choice={model} onChange={setModel} />
          {importing.error && <Problem error={importing.error} />}
          <div className="dialog-actions">
            <Button onPress={close}>Cancel</Button>
            <Button
              look="primary"
              isDisabled={!file}
              isPending={importing.isPending}
              onPress={() => file && importing.mutate(file)}
            >
              Import
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

const FileDrop = ({ file, onFile }: { file: File | undefined; onFile: (file: File) => void }) => (
  <DropZone
    className="import-drop"
    onDrop={(event) => {
      const dropped = event.items.find((item) => item.kind === 'file');
      if (dropped) void dropped.getFile().then(onFile);
    }}
  >
    <UploadIcon />
    <p>{file ? file.name : 'Drop the file here, or'}</p>
    <FileTrigger
      acceptedFileTypes={['.json', 'application/json']}
      onSelect={(list) => list?.[0] && onFile(list[0])}
    >
      <Button small>{file ? 'Choose another' : 'Choose a file'}</Button>
    </FileTrigger>
  </DropZone>
);

function Done({ answer, onClose }: { answer: Answer; onClose: () => void }) {
  const flows = 'flows' in answer ? answer.flows : [answer];
  const [only] = flows;
  const warnings = warningsOf(answer);
  return (
    <>
      <p role="status">
        {only && flows.length === 1
          ? `“${only.name}” has been imported. Unless its access rules forbid it, anyone who knows its id can call it.`
          : `${flows.length} flows have been imported. Unless its access rules forbid it, anyone who knows a flow’s id can call it.`}
      </p>
      {warnings.length > 0 && (
        <div className="import-warnings">
          <h3>Not imported</h3>
          <ul>
            {warnings.map((warning, index) => (
              <li key={index}>{warning}</li>
            ))}
          </ul>
        </div>
      )}
      <div className="dialog-actions">
        <Button onPress={onClose}>Close</Button>
        {only && flows.length === 1 && (
          <LinkButton look="primary" to="/console/flows/$id" params={{ id: only.id }}>
            Open the flow
          </LinkButton>
        )}
      </div>
    </>
  );
}

/** Returns the warnings; with several flows, each begins with the flow's name. */
function warningsOf(answer: Answer): string[] {
  const own = warningSentences(answer.warnings ?? []);
  if (!('flows' in answer)) return own;
  const inFlows = answer.flows.flatMap(({ name, warnings = [] }) =>
    warningSentences(warnings).map((sentence) => `“${name}”: ${sentence}`),
  );
  return [...inFlows, ...own];
}

async function bodyOf(file: File, { name, id }: Names): Promise<unknown> {
  const text = await file.text();
  const given = Object.fromEntries(Object.entries({ name, id }).filter(([, value]) => value.trim() !== ''));
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? { ...value, ...given } : value;
  } catch {
    throw new ApiError(400, 'invalid_json', `“${file.name}” is not JSON. Choose the exported file.`);
  }
}

/** Adds the model choice to an export. A definition of this service has its own models. */
const withModel = (body: unknown, model: ModelChoice): unknown =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body, ...modelsOf(model) } : body;

/** Recognises a definition of this service: its nodes have `kind`, those of an export `data`. */
function isDefinition(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('nodes' in body) || !Array.isArray(body.nodes))
    return false;
  const first: unknown = body.nodes[0];
  return typeof first === 'object' && first !== null && 'kind' in first && !('data' in first);
}
