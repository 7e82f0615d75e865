import { useState } from 'react';
import { Button } from '../../parts/actions/button.js';
import { Select } from '../../parts/entry/select.js';
import { Dialog } from '../../parts/overlay/dialog.js';
import { branchesOf, branchTitle, openBranches } from '../operations/branches.js';
import { idOf, type Members, nodesIn, textOf } from '../operations/definition.js';
import { connectionFault, type Connection } from '../operations/edit-edges.js';

/** Connects a node by choosing its branch and the next node. */
export function ConnectDialog({
  definition,
  from,
  onConnect,
  onClose,
}: {
  definition: Members;
  from: Members;
  onConnect: (connection: Connection) => void;
  onClose: () => void;
}) {
  const branches = branchesOf(from);
  const [branch, setBranch] = useState(() => openBranches(definition, from)[0] ?? branches[0] ?? '');
  const on = branches.length === 0 ? undefined : branch;
  const targets = nodesIn(definition)
    .map((node) => ({ value: idOf(node), name: textOf(node, 'label') || idOf(node) }))
    .filter(({ value }) => !connectionFault(definition, { from: idOf(from), to: value, on }));
  const [chosen, setChosen] = useState('');
  const to = targets.some(({ value }) => value === chosen) ? chosen : targets[0]?.value;
  return (
    <Dialog title={`Connect ${textOf(from, 'label') || idOf(from)}`} isOpen onClose={onClose}>
      {branches.length > 0 && (
        <Select
          label="Branch"
          value={branch}
          onChange={setBranch}
          options={branches.map((value) => {
            const title = branchTitle(from, value);
            return { value, name: title === undefined ? value : `${value}: ${title}` };
          })}
        />
      )}
      {to === undefined ? (
        <p>There is no node to which it can lead.</p>
      ) : (
        <Select label="Next node" value={to} onChange={setChosen} options={targets} />
      )}
      <div className="dialog-actions">
        <Button onPress={onClose}>Cancel</Button>
        <Button
          look="primary"
          isDisabled={to === undefined}
          onPress={() => {
            if (to !== undefined) onConnect({ from: idOf(from), to, on });
            onClose();
          }}
        >
          Connect
        </Button>
      </div>
    </Dialog>
  );
}
