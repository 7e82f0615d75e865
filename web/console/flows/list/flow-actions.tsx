import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { MenuTrigger } from 'react-aria-components';
import type { FlowSummary, FlowView } from '../../../../src/api/flows.js';
import { copyText } from '../../../common/copy-text.js';
import { ApiError } from '../../api/api-error.js';
import { get, post, remove, segment } from '../../api/client.js';
import { Button } from '../../parts/actions/button.js';
import { Menu, MenuItem } from '../../parts/actions/menu.js';
import { MoreIcon } from '../../parts/icons.js';
import { Confirm } from '../../parts/overlay/confirm.js';
import { toast } from '../../parts/overlay/toast.js';
import { saveFile } from '../../parts/values/save-file.js';
import { drafts } from '../drafts.js';
import { copyOf, fileOfFlow } from '../flow-text.js';
import { curlFor } from '../use/snippets.js';

/** The menu of a flow. */
export function FlowActions({
  flow,
  small = false,
  onDeleted,
}: {
  flow: FlowSummary;
  small?: boolean;
  onDeleted?: () => void;
}) {
  const [asking, setAsking] = useState(false);
  const client = useQueryClient();
  const navigate = useNavigate();
  const copy = async (text: string) => {
    const copied = await copyText(text);
    toast(copied ? 'Copied.' : 'The browser blocked copying.');
  };
  const erase = async () => {
    await remove(`flows/${segment(flow.id)}`, { headers: { 'If-Match': `"${flow.revision}"` } }).catch(
      (error: unknown) => {
        void client.invalidateQueries({ queryKey: ['flows'] });
        throw asDeletion(error, flow.name);
      },
    );
    drafts.set(flow.id, undefined);
    toast('Deleted.');
    onDeleted?.();
    await client.invalidateQueries({ queryKey: ['flows'], exact: true });
  };
  const load = () => get<FlowView>(`flows/${segment(flow.id)}`);
  const tell = (error: unknown) => toast(error instanceof ApiError ? error.message : 'It failed. Try again.');
  const duplicate = async () => {
    const made = await post<FlowView>('flows', copyOf(await load()));
    await client.invalidateQueries({ queryKey: ['flows'], exact: true });
    toast(`“${made.name}” created.`);
    void navigate({ to: '/console/flows/$id', params: { id: made.id } });
  };
  const save = async () => {
    const text = fileOfFlow(await load());
    saveFile(new Blob([text], { type: 'application/json' }), `${flow.id}.json`);
  };
  return (
    <>
      <MenuTrigger>
        <Button
          look={small ? 'quiet' : 'plain'}
          small={small}
          icon={<MoreIcon />}
          label={`More about ${flow.name}`}
        />
        <Menu label={`More about ${flow.name}`}>
          <MenuItem onAction={() => void navigate({ to: '/console/flows/$id/use', params: { id: flow.id } })}>
            Use it
          </MenuItem>
          <MenuItem onAction={() => void copy(curlFor(location.origin, flow))}>
            Copy the curl command
          </MenuItem>
          <MenuItem onAction={() => void copy(flow.id)}>Copy the id</MenuItem>
          <MenuItem
            onAction={() => void navigate({ to: '/console/executions', search: { flowId: flow.id } })}
          >
            Executions
          </MenuItem>
          <MenuItem
            onAction={() => void navigate({ to: '/console/flows/$id/cases', params: { id: flow.id } })}
          >
            Cases
          </MenuItem>
          <MenuItem
            onAction={() => void navigate({ to: '/console/flows/$id/visitors', params: { id: flow.id } })}
          >
            Feedback and leads
          </MenuItem>
          <MenuItem onAction={() => void duplicate().catch(tell)}>Duplicate</MenuItem>
          <MenuItem onAction={() => void save().catch(tell)}>Export</MenuItem>
          <MenuItem onAction={() => setAsking(true)}>Delete</MenuItem>
        </Menu>
      </MenuTrigger>
      <Confirm
        title={`Delete “${flow.name}”?`}
        action="Delete"
        isOpen={asking}
        onClose={() => setAsking(false)}
        onConfirm={erase}
      >
        Its address and chat page stop working at once. Executions and inspections stay.
      </Confirm>
    </>
  );
}

/** Explains that somebody else has saved the flow. It is reloaded, and a second try deletes that version. */
const asDeletion = (error: unknown, name: string): unknown =>
  error instanceof ApiError && error.code === 'flow_changed'
    ? new ApiError(
        error.status,
        error.code,
        `Someone else has just saved “${name}”. Check it before you delete it.`,
      )
    : error;
