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
import { counted } from '../../parts/words.js';
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

const NAMES_OF_THE_FILE: Names = { name: '', id: '' };

/** The outcome of one file. */
type Outcome = { file: string; answer: Answer } | { file: string; error: unknown };

/** Imports flows from exported files, one after another. A file that fails stops no other. */
export function ImportDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const [names, setNames] = useState(NAMES_OF_THE_FILE);
  const [model, setModel] = useState(AS_IN_THE_FILE);
  const [files, setFiles] = useState<readonly File[]>([]);
  const isOne = files.length <= 1;
  const importOne = async (file: File): Promise<Answer> => {
    const body = await bodyOf(file, isOne ? names : NAMES_OF_THE_FILE);
    if (isDefinition(body)) return post<Answer>('flows', body);
    return post<Answer>('flows/import', withModel(body, model));
  };
  const importing = useMutation({
    mutationFn: async (chosen: readonly File[]) => {
      if (chosen.length === 1) return [{ file: chosen[0]!.name, answer: await importOne(chosen[0]!) }];
      const outcomes: Outcome[] = [];
      for (const file of chosen)
        outcomes.push(
          await importOne(file).then(
            (answer) => ({ file: file.name, answer }),
            (error: unknown) => ({ file: file.name, error }),
          ),
        );
      return outcomes;
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['flows'], exact: true }),
  });
  const close = () => {
    onClose();
    importing.reset();
    setFiles([]);
    setNames(NAMES_OF_THE_FILE);
    setModel(AS_IN_THE_FILE);
  };
  return (
    <Dialog title="Import flows" isOpen={isOpen} onClose={close}>
      {importing.data ? (
        <Done outcomes={importing.data} onClose={close} />
      ) : (
        <>
          <p>
            Choose one or more files: an AgentFlow V2 export, a flow from the Flowise API, an “export all”
            file from the Flowise dashboard, or a definition copied from a flow here.
          </p>
          <FileDrop files={files} onFiles={setFiles} />
          {isOne && (
            <div className="import-fields">
              <Field
                label="Name"
                hint="Leave empty to use the one in the file. Only for a single flow."
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
          )}
          <ImportModel choice={model} onChange={setModel} />
          {importing.error && <Problem error={importing.error} />}
          <div className="dialog-actions">
            <Button onPress={close}>Cancel</Button>
            <Button
              look="primary"
              isDisabled={files.length === 0}
              isPending={importing.isPending}
              onPress={() => importing.mutate(files)}
            >
              Import
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

const FileDrop = ({
  files,
  onFiles,
}: {
  files: readonly File[];
  onFiles: (files: readonly File[]) => void;
}) => (
  <DropZone
    className="import-drop"
    onDrop={(event) => {
      const dropped = event.items.filter((item) => item.kind === 'file');
      if (dropped.length > 0) void Promise.all(dropped.map((item) => item.getFile())).then(onFiles);
    }}
  >
    <UploadIcon />
    <p>{files.length > 0 ? files.map(({ name }) => name).join(', ') : 'Drop the files here, or'}</p>
    <FileTrigger
      allowsMultiple
      acceptedFileTypes={['.json', 'application/json']}
      onSelect={(list) => list && list.length > 0 && onFiles([...list])}
    >
      <Button small>{files.length > 0 ? 'Choose others' : 'Choose files'}</Button>
    </FileTrigger>
  </DropZone>
);

const flowsOf = (answer: Answer): readonly Imported[] => ('flows' in answer ? answer.flows : [answer]);

function Done({ outcomes, onClose }: { outcomes: readonly Outcome[]; onClose: () => void }) {
  const answers = outcomes.flatMap((outcome) => ('answer' in outcome ? [outcome.answer] : []));
  const flows = answers.flatMap(flowsOf);
  const [only] = flows;
  const warnings = answers.flatMap((answer) => warningsOf(answer, flows.length > 1));
  return (
    <>
      <p role="status">
        {only && flows.length === 1
          ? `“${only.name}” has been imported. Unless its access rules forbid it, anyone who knows its id can call it.`
          : `${counted(flows.length, 'flow')} imported. Unless its access rules forbid it, anyone who knows a flow’s id can call it.`}
      </p>
      {outcomes.map(
        (outcome, index) =>
          'error' in outcome && (
            <section key={index} aria-label={outcome.file}>
              <h3>{outcome.file} was not imported</h3>
              <Problem error={outcome.error} />
            </section>
          ),
      )}
      {warnings.length > 0 && (
        <div className="import-warnings">
          <h3>Not imported</h3>
          <ul>
            {warnings.map((warning, index) => (
              <li key={index}>{warning}</li>
            ))}
          </ul>
          <p>The page of each flow goes on listing its placeholders.</p>
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

/** Returns the warnings; those of a flow begin with its name where there are several. */
function warningsOf(answer: Answer, several: boolean): string[] {
  const inFlows = flowsOf(answer).flatMap(({ name, warnings = [] }) =>
    warningSentences(warnings).map((sentence) => (several ? `“${name}”: ${sentence}` : sentence)),
  );
  return 'flows' in answer ? [...inFlows, ...warningSentences(answer.warnings ?? [])] : inFlows;
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
