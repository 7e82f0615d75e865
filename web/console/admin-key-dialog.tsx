import { type FormEvent, useState, useSyncExternalStore } from 'react';
import './admin-key-dialog.css';
import { adminKey } from './api/admin-key.js';
import { ApiError } from './api/api-error.js';
import { opens } from './api/client.js';
import { queryClient } from './api/query-client.js';
import { Button } from './parts/actions/button.js';
import { Checkbox } from './parts/entry/checkbox.js';
import { Field } from './parts/entry/field.js';
import { Dialog } from './parts/overlay/dialog.js';

/** Asks for the admin key over whatever is shown; the calls that wait for it go on once it is given. */
export function AdminKeyDialog() {
  const { asked, refused } = useSyncExternalStore(adminKey.subscribe, adminKey.snapshot);
  return (
    <Dialog title="Admin key" isOpen={asked} onClose={() => adminKey.decline()}>
      <AdminKeyForm refused={refused} />
    </Dialog>
  );
}

function AdminKeyForm({ refused }: { refused: boolean }) {
  const [key, setKey] = useState('');
  const [keep, setKeep] = useState(false);
  const [fault, setFault] = useState(
    refused ? 'The service no longer takes the key that was used. Nothing is lost: give the new one.' : '',
  );
  const [checking, setChecking] = useState(false);
  const check = async (event: FormEvent) => {
    event.preventDefault();
    const given = key.trim();
    if (checking) return;
    if (given === '') return setFault('Paste the admin key here.');
    setChecking(true);
    try {
      if (await opens(given)) {
        adminKey.give(given, keep ? 'device' : 'tab');
        // Repeats the requests that failed for want of a key.
        void queryClient.refetchQueries({
          type: 'active',
          predicate: ({ state }) => state.status === 'error',
        });
        return;
      }
      setFault('This is not the admin key. Check it for missing characters.');
    } catch (error) {
      setFault(error instanceof ApiError ? error.message : 'The key could not be checked. Try again.');
    }
    setChecking(false);
  };
  return (
    <form className="admin-key" onSubmit={(event) => void check(event)}>
      <p>
        It is what <code>ADMIN_API_KEY</code> says, or else stands in the file <code>admin-key</code> in the
        service’s data directory, made at its first start.
      </p>
      <Field
        label="Admin key"
        type="password"
        value={key}
        onChange={(text) => {
          setKey(text);
          setFault('');
        }}
        fault={fault}
        autoFocus
        autoComplete="off"
      />
      <Checkbox isSelected={keep} onChange={setKeep}>
        Keep it on this device
      </Checkbox>
      <p className="admin-key-note">
        {keep ? 'Until you forget it in the settings.' : 'Otherwise it is forgotten when you close this tab.'}
      </p>
      <div className="dialog-actions">
        <Button onPress={() => adminKey.decline()}>Close without a key</Button>
        <Button look="primary" type="submit" isPending={checking}>
          Continue
        </Button>
      </div>
    </form>
  );
}
