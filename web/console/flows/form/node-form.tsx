import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { Fault } from '../../api/api-error.js';
import { useKind } from '../../graph/kinds.js';
import { Button } from '../../parts/actions/button.js';
import { Field } from '../../parts/entry/field.js';
import { Select } from '../../parts/entry/select.js';
import type { Operate } from '../canvas/use-commands.js';
import type { FlowDocument } from '../document/flow-document.js';
import type { Knowledge } from '../editor/completion.js';
import { readLoosely } from '../editor/loose-json.js';
import { templateNames } from '../editor/named-values.js';
import { schemaOfKind } from '../editor/new-value.js';
import { framesFor, putInto } from '../operations/bodies.js';
import { isBranchList, withoutBranch, withSwappedBranches } from '../operations/branches.js';
import { configOf, idOf, type Members, nodesIn, textOf } from '../operations/definition.js';
import { renameNode, setConfig, setNodeMember, swapItems } from '../operations/edit-nodes.js';
import type { FormScope } from './form-scope.js';
import { useNodePicks } from './picks.js';
import { SchemaForm } from './schema-form.js';

interface NodeFormProps {
  node: Members;
  definition: Members;
  document: FlowDocument;
  knowledge: Knowledge;
  faults: readonly Fault[];
  operate: Operate;
  /** Takes the focus whenever this number grows; `focusTaken` outlives the form of one node. */
  focused: number;
  focusTaken: RefObject<number>;
  onRenamed: (id: string) => void;
  onShowText: () => void;
}

/** The settings of a node as a form, made from the JSON Schema of its kind. */
export default function NodeForm(props: NodeFormProps) {
  const {
    node,
    definition,
    document,
    knowledge,
    faults,
    operate,
    focused,
    focusTaken,
    onRenamed,
    onShowText,
  } = props;
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focusTaken.current === focused) return;
    focusTaken.current = focused;
    form.current?.querySelector('input')?.focus();
  }, [focused, focusTaken]);
  const [kind, id] = [textOf(node, 'kind'), idOf(node)];
  const { name, icon, about } = useKind(kind);
  const config = schemaOfKind(knowledge.schema, kind)?.properties?.['config'];
  const pick = useNodePicks(definition, node, knowledge);
  const names = useMemo(() => templateNames(readLoosely(document.text)), [document.text]);
  const set: FormScope['set'] = (path, value) => {
    const index = Number(path.at(-1));
    const isBranch = value === undefined && isBranchList(node, path.slice(0, -1));
    operate(
      (flow) => {
        const next = setConfig(flow, id, path, value);
        return isBranch ? withoutBranch(next, id, index) : next;
      },
      value === undefined ? undefined : `form:${id}:${path.join('.')}`,
    );
  };
  const swap: FormScope['swap'] = (path, index) =>
    void operate((flow) => {
      const swapped = swapItems(flow, id, path, index);
      return isBranchList(node, path) ? withSwappedBranches(swapped, id, index, index + 1) : swapped;
    });
  const done = () => document.endGroup();
  const label = textOf(node, 'label');
  return (
    <SchemaForm
      root={knowledge.schema ?? {}}
      schema={config ?? {}}
      value={config?.properties ? configOf(node) : node['config']}
      label={config ? name : 'Config'}
      faults={faults}
      prefix={`nodes.${nodesIn(definition).indexOf(node)}.config`}
      areBranches={(path) => isBranchList(node, path)}
      form={form}
      {...{ names, pick, set, swap, done }}
    >
      <header className="node-form-head">
        <span className="graph-kind-icon">{icon}</span>
        <h2>{name}</h2>
        <Button look="quiet" small onPress={onShowText}>
          Show in the JSON
        </Button>
      </header>
      {about !== '' && <p className="node-form-about">{about}</p>}
      <Field
        label="Label"
        value={label}
        placeholder={id}
        onChange={(text) =>
          operate((flow) => setNodeMember(flow, id, 'label', text === '' ? undefined : text), `label:${id}`)
        }
        onBlur={done}
      />
      <IdField
        key={id}
        id={id}
        definition={definition}
        onRename={(to) => {
          if (operate((flow) => renameNode(flow, id, to))) onRenamed(to);
        }}
      />
      <FrameField
        node={node}
        definition={definition}
        onPut={(parent) => void operate((flow) => putInto(flow, id, parent))}
      />
    </SchemaForm>
  );
}

const NODE_ID = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,127}$/;

/** The id of a node. Leaving the field renames the node wherever it is named. */
function IdField({
  id,
  definition,
  onRename,
}: {
  id: string;
  definition: Members;
  onRename: (to: string) => void;
}) {
  const [draft, setDraft] = useState(id);
  const isTaken = draft !== id && nodesIn(definition).some((node) => idOf(node) === draft);
  const fault = isTaken
    ? 'Another node has this id.'
    : NODE_ID.test(draft)
      ? ''
      : 'must be 1 to 128 letters, digits, _ or -';
  const rename = () => {
    if (fault === '' && draft !== id) onRename(draft);
    else setDraft(id);
  };
  return (
    <Field
      label="Id"
      value={draft}
      fault={fault}
      hint="Its name in templates. Renaming rewrites every reference."
      onChange={setDraft}
      onBlur={rename}
      onKeyDown={({ key }) => key === 'Enter' && rename()}
    />
  );
}

/** The iteration that a node is part of, if the flow has any. */
function FrameField({
  node,
  definition,
  onPut,
}: {
  node: Members;
  definition: Members;
  onPut: (parent: string | undefined) => void;
}) {
  const frames = framesFor(definition, idOf(node));
  if (frames.length === 0 || node['kind'] === 'start') return null;
  return (
    <Select
      label="Part of"
      value={textOf(node, 'parentNode')}
      options={[
        { value: '', name: 'The flow itself' },
        ...frames.map((one) => ({ value: idOf(one), name: textOf(one, 'label') || idOf(one) })),
      ]}
      onChange={(parent) => onPut(parent === '' ? undefined : parent)}
    />
  );
}
