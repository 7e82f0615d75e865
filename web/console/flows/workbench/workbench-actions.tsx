import type { FlowView } from '../../../../src/api/flows.js';
import { Button } from '../../parts/actions/button.js';
import { AnchorButton } from '../../parts/actions/link-button.js';
import { ChatIcon } from '../../parts/icons.js';
import { Tag } from '../../parts/values/status-tag.js';
import { FlowActions } from '../list/flow-actions.js';

/** The actions of a flow at the head of its page. */
export function WorkbenchActions({
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
