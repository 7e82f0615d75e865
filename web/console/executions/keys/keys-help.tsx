import { useState } from 'react';
import { Button } from '../../parts/actions/button.js';
import { Checkbox } from '../../parts/entry/checkbox.js';
import { KeyboardIcon } from '../../parts/icons.js';
import { Dialog } from '../../parts/overlay/dialog.js';
import './keys-help.css';
import { useKeys, useSingleKeys } from './use-keys.js';

/** Lists the page's keyboard shortcuts; single-key ones can be switched off. */
export function KeysHelp({ keys }: { keys: readonly (readonly [keys: string, meaning: string])[] }) {
  const [isOpen, setOpen] = useState(false);
  const [on, setOn] = useSingleKeys();
  useKeys({ '?': () => setOpen(true) });
  return (
    <>
      <Button look="quiet" icon={<KeyboardIcon />} label="Keyboard shortcuts" onPress={() => setOpen(true)} />
      <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={() => setOpen(false)}>
        <dl className="keys">
          {keys.map(([names, meaning]) => (
            <div key={names}>
              <dt>
                {names.split(' ').map((name) => (
                  <kbd key={name}>{name}</kbd>
                ))}
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <Checkbox isSelected={on} onChange={setOn}>
          Use single-key shortcuts
        </Checkbox>
      </Dialog>
    </>
  );
}
