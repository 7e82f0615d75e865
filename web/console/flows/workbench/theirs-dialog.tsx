import type { FlowView } from '../../../../src/api/flows.js';
import { Button } from '../../parts/actions/button.js';
import { Dialog } from '../../parts/overlay/dialog.js';
import { Time } from '../../parts/values/time.js';
import { differenceOf, textOfFlow } from '../flow-text.js';

interface TheirsDialogProps {
  theirs: FlowView | undefined;
  mine: string;
  isPending: boolean;
  onClose: () => void;
  onTake: (theirs: FlowView) => void;
  onSaveOver: (theirs: FlowView) => void;
}

/** Shows the differences after somebody else has saved the flow, and lets the person choose a version. */
export function TheirsDialog({ theirs, mine, isPending, onClose, onTake, onSaveOver }: TheirsDialogProps) {
  if (!theirs) return null;
  const difference = differenceOf(mine, textOfFlow(theirs));
  return (
    <Dialog title="Someone else saved this flow" isOpen wide onClose={onClose}>
      <p>
        It was saved at <Time at={theirs.updatedAt} />, after you started editing. Your text is not lost.
        {difference ? ` The texts differ from line ${difference.line}:` : ' The texts are the same.'}
      </p>
      {difference && (
        <div className="theirs">
          <Side title="Yours" text={difference.mine} />
          <Side title="Theirs" text={difference.theirs} />
        </div>
      )}
      <div className="dialog-actions">
        <Button onPress={onClose}>Keep editing</Button>
        <Button onPress={() => onTake(theirs)}>Use theirs</Button>
        <Button look="danger" isPending={isPending} onPress={() => onSaveOver(theirs)}>
          Overwrite with mine
        </Button>
      </div>
    </Dialog>
  );
}

const Side = ({ title, text }: { title: string; text: string }) => (
  <section className="theirs-side">
    <h3>{title}</h3>
    <pre tabIndex={0} role="region" aria-label={title}>
      {text === '' ? '(nothing)' : text}
    </pre>
  </section>
);
