import { useState } from 'react';
import type { FlowView } from '../../../../src/api/flows.js';
import { Button } from '../../parts/actions/button.js';
import { AnchorButton } from '../../parts/actions/link-button.js';
import { ChatIcon } from '../../parts/icons.js';
import { Page } from '../../parts/page.js';
import { Tag } from '../../parts/values/status-tag.js';
import { FlowActions } from '../list/flow-actions.js';
import { toFlows } from '../to-flows.js';
import { TryPane } from '../try/try-pane.js';
import { useTry } from '../try/use-try.js';
import { DefinitionPane } from './definition-pane.js';
import { FlowPicture, placeOfNode } from './flow-picture.js';
import { LeaveGuard } from './leave-guard.js';
import { Notices } from './notices.js';
import { TheirsDialog } from './theirs-dialog.js';
import { useEditing } from './use-editing.js';
import { useOthers } from './use-others.js';
import { useReading } from './use-reading.js';
import { useSaving } from './use-saving.js';
import './workbench.css';
import { type Face, useIsNarrow, WorkbenchTabs } from './workbench-tabs.js';

interface WorkbenchProps {
  /** The stored flow; absent for a new one. */
  flow?: FlowView;
  /** The initial text of a new flow. */
  start?: string;
  /** The id of the node at which the text opens. */
  node?: string;
  onSaved?: (flow: FlowView) => void;
  onDeleted: () => void;
}

/** One flow: its definition, its picture, and a chat to try it. */
export function Workbench({ flow, start, node, onSaved, onDeleted }: WorkbenchProps) {
  const editing = useEditing(flow, start);
  const reading = useReading(editing.text, flow?.id);
  const saving = useSaving(flow, editing, onSaved);
  const trying = useTry(flow?.id ?? '');
  const others = useOthers(flow, editing);
  const [face, setFace] = useState<Face>('definition');
  const [isDeleted, setDeleted] = useState(false);
  const [startAt] = useState(() => (node === undefined ? undefined : placeOfNode(editing.text, node)));
  const isNarrow = useIsNarrow();
  const { isDirty } = editing;
  const save = () => void saving.save();
  const picture = (
    <FlowPicture
      name={flow?.name ?? 'the new flow'}
      editing={editing}
      reading={reading}
      states={face === 'try' ? trying.turns.at(-1)?.nodes : undefined}
      onJump={() => setFace('definition')}
    />
  );
  const tryPane = flow ? (
    <TryPane flow={flow} trying={trying} isDirty={isDirty} isSaving={saving.isPending} onSave={save} />
  ) : (
    <p className="work-hint">Create the flow first. You can only try a saved flow.</p>
  );
  const faces = [
    {
      id: 'definition' as const,
      name: 'Definition',
      content: <DefinitionPane editing={editing} reading={reading} startAt={startAt} onSave={save} />,
    },
    { id: 'picture' as const, name: 'Picture', content: isNarrow && face === 'picture' && picture },
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
  ];
  return (
    <Page
      fill
      title={flow?.name ?? 'New flow'}
      back={toFlows}
      actions={
        <WorkbenchActions
          flow={flow}
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
      <Notices flow={flow} editing={editing} saving={saving} isBehind={others.isBehind} />
      <div className="work">
        <WorkbenchTabs
          face={face === 'picture' && !isNarrow ? 'definition' : face}
          onFace={setFace}
          faces={faces.filter(({ id }) => isNarrow || id !== 'picture')}
        />
        {!isNarrow && picture}
      </div>
      <LeaveGuard isDirty={isDirty && !isDeleted} />
      <TheirsDialog
        theirs={saving.theirs}
        mine={editing.text}
        isPending={saving.isPending}
        onClose={() => saving.showTheirs(undefined)}
        onTake={(theirs) => {
          others.take(theirs);
          saving.showTheirs(undefined);
        }}
        onSaveOver={(theirs) => void saving.saveOver(theirs)}
      />
    </Page>
  );
}

function WorkbenchActions({
  flow,
  isDirty,
  isSaving,
  onSave,
  onDeleted,
}: {
  flow: FlowView | undefined;
  isDirty: boolean;
  isSaving: boolean;
  onSave: () => void;
  onDeleted: () => void;
}) {
  return (
    <>
      {isDirty && <Tag tone="warn">Not saved</Tag>}
      {flow?.access.public === true && (
        <AnchorButton href={`/chat/${encodeURIComponent(flow.id)}`} target="_blank" rel="noopener">
          <ChatIcon /> Chat page
        </AnchorButton>
      )}
      {flow && <FlowActions flow={flow} onDeleted={onDeleted} />}
      <Button
        look="primary"
        isDisabled={flow !== undefined && !isDirty}
        isPending={isSaving}
        onPress={onSave}
      >
        {flow ? 'Save' : 'Create'}
      </Button>
    </>
  );
}
