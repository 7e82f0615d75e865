import { useState } from 'react';
import type { FlowView } from '../../../../src/api/flows.js';
import { Page } from '../../parts/page.js';
import type { PlacedFault } from '../editor/read-definition.js';
import { idOf, nodesIn } from '../operations/definition.js';
import { toFlows } from '../to-flows.js';
import { TryPane } from '../try/try-pane.js';
import { useTry } from '../try/use-try.js';
import { DraftLine } from '../versions/draft-line.js';
import type { StoredFlow } from '../versions/use-stored-flow.js';
import { CanvasPane } from './canvas-pane.js';
import { DefinitionPane } from './definition-pane.js';
import { FaultList } from './fault-list.js';
import { FlowPane } from './flow-pane.js';
import { FlowPicture, placeOfNode } from './flow-picture.js';
import { LeaveGuard } from './leave-guard.js';
import { NodePane } from './node-pane.js';
import { Notices } from './notices.js';
import { SettingsPane } from './settings-pane.js';
import { TheirFlowDialog } from './theirs-dialog.js';
import { useEditing } from './use-editing.js';
import { useOthers } from './use-others.js';
import { type TextPart, useReading } from './use-reading.js';
import { useSaving } from './use-saving.js';
import { useSelection } from './use-selection.js';
import { WorkbenchActions } from './workbench-actions.js';
import './workbench.css';
import { type Face, useIsNarrow, WorkbenchTabs } from './workbench-tabs.js';

interface WorkbenchProps {
  /** The stored flow; absent for a new one. */
  stored?: StoredFlow;
  /** The initial text of a new flow. */
  start?: string;
  /** The id of the node at which the text opens. */
  node?: string;
  onSaved?: (flow: FlowView) => void;
  onDeleted: () => void;
}

/** One flow: its canvas, its nodes, its definition as text, and a chat to try it. */
export function Workbench({ stored, start, node, onSaved, onDeleted }: WorkbenchProps) {
  const flow = stored?.edited;
  const editing = useEditing(flow, start);
  const reading = useReading(editing, stored ? ofDraft : ofWhole);
  const saving = useSaving(stored, editing, onSaved);
  const trying = useTry(flow?.id ?? '');
  const others = useOthers(flow, editing);
  const selection = useSelection(node);
  const isNarrow = useIsNarrow();
  const [face, setFace] = useState<Face>(isNarrow && node === undefined ? 'picture' : 'node');
  const [focused, setFocused] = useState(0);
  const [isDeleted, setDeleted] = useState(false);
  const [hasSettings, setHasSettings] = useState(false);
  const [startAt, setStartAt] = useState(() =>
    node === undefined ? undefined : placeOfNode(editing.text, node),
  );
  const { isDirty } = editing;
  const { theirs } = saving;
  const save = () => void saving.save();
  const states = face === 'try' ? trying.turns.at(-1)?.nodes : undefined;
  const jump = (place: number) => {
    setFace('definition');
    setStartAt(place);
    // After the editor has been rendered.
    setTimeout(() => editing.editor.current?.jumpTo(place));
  };
  const showText = (nodeId: string) => {
    const place = placeOfNode(editing.text, nodeId);
    if (place !== undefined) jump(place);
  };
  const showFault = (fault: PlacedFault) => {
    const [member = '', index] = fault.path.split('.');
    const id = member === 'nodes' ? idOf(nodesIn(reading.definition)[Number(index)]) : '';
    if (face !== 'definition' && id !== '') {
      selection.show(id);
      setFace('node');
    } else if (face !== 'definition' && member !== '' && !DRAWN.includes(member)) setFace('flow');
    else jump(fault.from);
  };
  const picture = isNarrow ? (
    <FlowPicture
      name={flow?.name ?? 'the new flow'}
      reading={reading}
      states={states}
      selected={selection.ids[0]}
      onSelect={(id) => {
        selection.show(id);
        setFace('node');
      }}
    />
  ) : (
    <CanvasPane
      name={flow?.name ?? 'the new flow'}
      editing={editing}
      reading={reading}
      states={states}
      selection={{
        ...selection,
        select: (ids) => {
          selection.select(ids);
          if ((face === 'try' || face === 'flow') && ids.length > 0) setFace('node');
        },
      }}
      onEdit={() => {
        setFace('node');
        setFocused(focused + 1);
      }}
      onSave={save}
    />
  );
  const tryPane = stored ? (
    <TryPane stored={stored} trying={trying} isDirty={isDirty} isSaving={saving.isPending} onSave={save} />
  ) : (
    <p className="work-hint">Create the flow first. You can only try a saved flow.</p>
  );
  const faces = [
    { id: 'picture' as const, name: 'Picture', content: face === 'picture' && picture },
    {
      id: 'node' as const,
      name: 'Node',
      content: (
        <NodePane
          editing={editing}
          reading={reading}
          selection={selection}
          focused={focused}
          isNarrow={isNarrow}
          onShowText={showText}
        />
      ),
    },
    {
      id: 'flow' as const,
      name: 'Flow',
      content: (
        <FlowPane document={editing.document} reading={reading} operate={editing.operate}>
          {stored && <p className="work-lead">Part of each version, as the nodes are.</p>}
        </FlowPane>
      ),
    },
    {
      id: 'definition' as const,
      name: 'Definition',
      content: <DefinitionPane editing={editing} reading={reading} startAt={startAt} onSave={save} />,
    },
    {
      id: 'try' as const,
      name: 'Try it',
      content: (
        <div className="work-try">
          {isNarrow && face === 'try' && picture}
          {tryPane}
        </div>
      ),
    },
    ...(stored
      ? [
          {
            id: 'settings' as const,
            name: 'Settings',
            content: <SettingsPane stored={stored} onDirty={setHasSettings} />,
          },
        ]
      : []),
  ];
  const shown = !isNarrow && face === 'picture' ? 'node' : face;
  return (
    <Page
      fill
      title={flow?.name ?? 'New flow'}
      back={toFlows}
      actions={
        <WorkbenchActions
          flow={stored?.published}
          isDirty={isDirty}
          isSaving={saving.isPending}
          onSave={save}
          onDeleted={() => {
            setDeleted(true);
            onDeleted();
          }}
        />
      }
    >
      {stored && <DraftLine stored={stored} isDirty={isDirty} />}
      <Notices flow={stored} editing={editing} saving={saving} isBehind={others.isBehind} />
      <div className={`work work-at-${shown}`}>
        {!isNarrow && picture}
        <div className="work-side">
          <WorkbenchTabs
            face={shown}
            onFace={setFace}
            faces={faces.filter(({ id }) => isNarrow || id !== 'picture')}
          />
          {(shown === 'node' || shown === 'flow' || shown === 'definition') && (
            <FaultList
              text={editing.text}
              faults={reading.faults}
              warnings={reading.warnings}
              isChecked={reading.isChecked}
              onJump={showFault}
            />
          )}
        </div>
      </div>
      <LeaveGuard isDirty={isDirty && !isDeleted} hasSettings={hasSettings && !isDeleted} />
      {theirs && (
        <TheirFlowDialog
          theirs={theirs}
          mine={editing.text}
          isPending={saving.isPending}
          onClose={() => saving.showTheirs(undefined)}
          onTake={() => {
            others.take(theirs.edited);
            saving.showTheirs(undefined);
          }}
          onSaveOver={() => void saving.saveOver(theirs)}
        />
      )}
    </Page>
  );
}

/** Members that the canvas draws. */
const DRAWN = ['nodes', 'edges', 'notes'];

const ofWhole: TextPart = { part: undefined, complete: (value) => value };

/** A draft has no name, which a flow needs. */
const ofDraft: TextPart = { part: 'definition', complete: (value) => ({ name: 'draft', ...value }) };
