import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { FlowSummary } from '../../../../src/api/flows.js';
import { BrowserStorage } from '../../../common/browser-storage.js';
import type { useFlows } from '../../api/use-flows.js';
import { Button } from '../../parts/actions/button.js';
import { LinkButton } from '../../parts/actions/link-button.js';
import { Field } from '../../parts/entry/field.js';
import { Select } from '../../parts/entry/select.js';
import { Dialog } from '../../parts/overlay/dialog.js';
import { Loading } from '../../parts/waiting/loading.js';
import { Problem } from '../../parts/waiting/problem.js';
import './new-inspection.css';
import { proposedSessionId, sessionIdFault } from './session-id.js';

const storage = new BrowserStorage(() => localStorage, 'console:');

interface NewInspectionProps {
  isOpen: boolean;
  flows: ReturnType<typeof useFlows>;
  flowId: string | undefined;
  onClose: () => void;
}

/** Asks for the flow and the session id of a new inspection. */
export function NewInspection({ isOpen, flows, flowId, onClose }: NewInspectionProps) {
  return (
    <Dialog title="New inspection" isOpen={isOpen} onClose={onClose}>
      {flows.error && <Problem error={flows.error} onRetry={() => void flows.refetch()} />}
      {flows.isPending && !flows.error && <Loading />}
      {flows.data && flows.data.length === 0 && <NoFlow />}
      {flows.data && flows.data.length > 0 && <BeginForm flows={flows.data} flowId={flowId} />}
    </Dialog>
  );
}

function BeginForm({ flows, flowId }: { flows: readonly FlowSummary[]; flowId: string | undefined }) {
  const navigate = useNavigate();
  const [chosen, setChosen] = useState(() => usualFlow(flows, flowId));
  const [sessionId, setSessionId] = useState(() => proposedSessionId(new Date()));
  const [fault, setFault] = useState('');
  const begin = (event: FormEvent) => {
    event.preventDefault();
    const id = sessionId.trim();
    const wrong = sessionIdFault(id);
    setFault(wrong);
    if (wrong !== '') return;
    storage.set('inspecting-flow', chosen);
    void navigate({
      to: '/console/inspections/$sessionId',
      params: { sessionId: id },
      search: { flowId: chosen, tab: 'add' },
    });
  };
  const keyed = flows.find(({ id }) => id === chosen)?.access.apiKeyId != null;
  return (
    <form className="begin" onSubmit={begin}>
      <Select
        label="Flow"
        value={chosen}
        onChange={setChosen}
        options={flows.map(({ id, name }) => ({ value: id, name }))}
      />
      {keyed && <p className="begin-note">You will need this flow’s key to add photographs.</p>}
      <Field
        label="Session id"
        value={sessionId}
        onChange={(text) => {
          setSessionId(text);
          setFault('');
        }}
        fault={fault}
        maxLength={256}
        autoComplete="off"
        hint="Any name for this inspection. An existing id adds to that inspection."
      />
      <div className="dialog-actions">
        <Button look="primary" type="submit" autoFocus>
          Start
        </Button>
      </div>
    </form>
  );
}

/** Returns the flow in the URL, else the last used, the sample or the first. */
function usualFlow(flows: readonly FlowSummary[], inUrl: string | undefined): string {
  const wanted = [inUrl, storage.get<unknown>('inspecting-flow'), 'inspection-assistant'];
  const found = wanted.flatMap((id) => flows.find((flow) => flow.id === id) ?? [])[0];
  return (found ?? flows[0])?.id ?? '';
}

function NoFlow() {
  return (
    <div className="begin">
      <p className="begin-note">
        An inspection belongs to a flow, and there is none yet. Start the service with SAMPLES=on, or create a
        flow.
      </p>
      <div className="dialog-actions">
        <LinkButton look="primary" to="/console/flows/~new">
          Create a flow
        </LinkButton>
      </div>
    </div>
  );
}
