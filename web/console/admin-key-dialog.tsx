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

/** Asks for the admin key over any page. Calls that wait for the key continue once it is entered. */
export function AdminKeyDialog() {
  const { isRequested, refused } = useSyncExternalStore(adminKey.subscribe, adminKey.snapshot);
  return (
    <Dialog title="Admin key" isOpen={isRequested} onClose={() => adminKey.decline()}>
      <AdminKeyForm refused={refused} />
    </Dialog>
  );
}

function AdminKeyForm({ refused }: { refused: boolean }) {
  const [key, setKey] = useState('');
  const [keep, setKeep] = useState(false);
  const [fault, setFault] = useState(
    refused ? 'The service no longer accepts this key. Nothing is lost: enter the new one.' : '',
  );
  const [checking, setChecking] = useState(false);
  const check = async (event: FormEvent) => {
    event.preventDefault();
    const given = key.trim();
    if (checking) return;
    if (given === '') return setFault('Enter the admin key.');
    setChecking(true);
    try {
      if (await opens(given)) {
        adminKey.give(given, keep ? 'device' : 'tab');
        // Repeat the requests that failed because there was no key.
        void queryClient.refetchQueries({
          type: 'active',
          predicate: ({ state }) => state.status === 'error',
        });
        return;
      }
      setFault('This is not the admin key. Check that you have copied all of it.');
    } catch (error) {
      setFault(error instanceof ApiError ? error.message : 'The key could not be checked. Try again.');
    }
    setChecking(false);
  };
  return (
    <form className="admin-key" onSubmit={(event) => void check(event)}>
      <p>
        Use the value of <code>ADMIN_API_KEY</code>. If it is not set, the key is in the file{' '}
        <code>admin-key</code> in the data directory.
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
        Remember it on this device
      </Checkbox>
      <p className="admin-key-note">
        {keep ? 'You can remove it in the settings.' : 'Otherwise it is removed when you close this tab.'}
      </p>
      <div className="dialog-actions">
        <Button onPress={() => adminKey.decline()}>Cancel</Button>
        <Button look="primary" type="submit" isPending={checking}>
          Continue
        </Button>
      </div>
    </form>
  );
}
