import type { ReactNode } from 'react';
import { Button } from '../../parts/actions/button.js';
import { Dialog } from '../../parts/overlay/dialog.js';
import { Time } from '../../parts/values/time.js';
import { differenceOf, textOfFlow } from '../flow-text.js';
import type { StoredFlow } from '../versions/use-stored-flow.js';

interface Choice {
  isPending: boolean;
  onClose: () => void;
  onTake: () => void;
  onSaveOver: () => void;
}

/** Shows the differences after somebody else has saved, and lets the person choose a text. */
export function TheirsDialog({
  title,
  mine,
  theirs,
  isPending,
  onClose,
  onTake,
  onSaveOver,
  children,
}: Choice & {
  title: string;
  mine: string;
  theirs: string;
  /** The sentence that says what they saved. */
  children: ReactNode;
}) {
  const difference = differenceOf(mine, theirs);
  return (
    <Dialog title={title} isOpen wide onClose={onClose}>
      <p>
        {children} Your text is not lost.
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
        <Button onPress={onTake}>Use theirs</Button>
        <Button look="danger" isPending={isPending} onPress={onSaveOver}>
          Overwrite with mine
        </Button>
      </div>
    </Dialog>
  );
}

/** Shows the definition that somebody else has saved or published. */
export function TheirFlowDialog({
  theirs: { draft, edited },
  mine,
  ...choice
}: Choice & { theirs: StoredFlow; mine: string }) {
  return (
    <TheirsDialog title="Someone else saved this flow" mine={mine} theirs={textOfFlow(edited)} {...choice}>
      {draft ? `${draft.by} saved the draft` : 'It was published'} at <Time at={edited.updatedAt} />, after
      you started editing.
    </TheirsDialog>
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
