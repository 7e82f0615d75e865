import type { Photograph } from '../../../../src/api/inspections.js';
import { Button } from '../../parts/actions/button.js';
import { BringBackIcon, CloseIcon, PencilIcon, WithdrawIcon } from '../../parts/icons.js';
import { numberInWords } from '../../parts/words.js';
import { MoveMenu } from '../corrections/move-menu.js';
import { TurnButtons } from '../corrections/turn-buttons.js';
import './selection-bar.css';
import { isWithdrawn } from '../photographs/area-groups.js';

export interface SelectionActions {
  move: (area: string) => void;
  moveElsewhere: () => void;
  turn: (degrees: number) => void;
  caption: () => void;
  withdraw: () => void;
  bringBack: () => void;
  clear: () => void;
}

/** The toolbar that corrects the selected photographs. */
export function SelectionBar({
  photographs,
  areas,
  actions,
  menu,
}: {
  photographs: readonly Photograph[];
  areas: readonly string[];
  actions: SelectionActions;
  /** The state of the area menu, which a key opens from any photograph. */
  menu: { isOpen: boolean; onOpenChange: (isOpen: boolean) => void };
}) {
  const [first] = photographs;
  const here = photographs.every(({ area }) => area === first?.area) ? first?.area : undefined;
  const withdrawn = photographs.filter(isWithdrawn).length;
  return (
    <div className="selection-bar" role="toolbar" aria-label="Selected photographs">
      <p className="selection-count" role="status">
        {numberInWords(photographs.length)} selected
      </p>
      <div className="selection-actions">
        <MoveMenu
          areas={areas}
          here={here}
          onMove={actions.move}
          onType={actions.moveElsewhere}
          small
          {...menu}
        />
        <TurnButtons onTurn={actions.turn} />
        {photographs.length === 1 && (
          <Button small label="Caption" icon={<PencilIcon />} onPress={actions.caption} />
        )}
        {withdrawn < photographs.length && (
          <Button small label="Withdraw" icon={<WithdrawIcon />} onPress={actions.withdraw} />
        )}
        {withdrawn > 0 && (
          <Button small label="Restore" icon={<BringBackIcon />} onPress={actions.bringBack} />
        )}
      </div>
      <Button small look="quiet" label="Clear the selection" icon={<CloseIcon />} onPress={actions.clear} />
    </div>
  );
}
