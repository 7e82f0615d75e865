import { Dialog } from '../../parts/overlay/dialog.js';

/** The keys of the canvas, by the name of the key; `Mod` is Ctrl or Cmd. React Flow itself moves and deletes. */
const KEYS = {
  'Mod+Z': 'Undo',
  'Mod+Shift+Z': 'Redo',
  A: 'Add a node',
  C: 'Connect the selected node',
  Space: 'Select the node in focus; with Ctrl or Cmd, also others',
  Enter: 'Edit the node in focus',
  'Arrow keys': 'Move what is selected',
  Delete: 'Delete what is selected',
  'Mod+A': 'Select all',
  'Mod+C, Mod+X, Mod+V': 'Copy, cut, paste',
  'Mod+D': 'Duplicate',
  'Mod+F': 'Find in the flow',
  L: 'Arrange automatically',
  N: 'Add a note',
  Escape: 'Select nothing',
} as const;

const isApple = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '');

/** Lists the keys of the canvas. */
export const KeysDialog = ({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) => (
  <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose}>
    <dl className="canvas-keys">
      {Object.entries(KEYS).map(([key, does]) => (
        <div key={key}>
          <dt>
            <kbd>{key.replaceAll('Mod', isApple ? 'Cmd' : 'Ctrl')}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);
