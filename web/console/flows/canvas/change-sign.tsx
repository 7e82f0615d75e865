import { MinusIcon, PencilIcon, PlusIcon } from '../../parts/icons.js';
import type { ChangeMark } from '../operations/changed-nodes.js';

const signs: Readonly<Record<ChangeMark, () => React.ReactNode>> = {
  added: PlusIcon,
  changed: PencilIcon,
  removed: MinusIcon,
};

/** A difference as a sign and a word. */
export function ChangeSign({ mark }: { mark: ChangeMark }) {
  const Sign = signs[mark];
  return (
    <>
      <Sign /> {mark}
    </>
  );
}
