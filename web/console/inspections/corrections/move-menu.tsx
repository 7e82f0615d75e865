import { MenuTrigger } from 'react-aria-components';
import { Button } from '../../parts/actions/button.js';
import { Menu, MenuItem } from '../../parts/actions/menu.js';
import { MoveIcon } from '../../parts/icons.js';

interface MoveMenuProps {
  areas: readonly string[];
  /** Where all of them are already. */
  here: string | undefined;
  onMove: (area: string) => void;
  /** Another area is to be typed. */
  onType: () => void;
  small?: boolean;
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
}

/** Moves photographs without dragging: the areas of the inspection, and any other by its name. */
export function MoveMenu({ areas, here, onMove, onType, small = false, ...open }: MoveMenuProps) {
  return (
    <MenuTrigger {...open}>
      <Button small={small} icon={<MoveIcon />}>
        Move to…
      </Button>
      <Menu
        label="Move to"
        disabledKeys={here === undefined ? [] : [`=${here}`]}
        onAction={(key) => (key === 'other' ? onType() : onMove(String(key).slice(1)))}
      >
        {[
          ...areas.map((area) => (
            <MenuItem key={area} id={`=${area}`}>
              {area}
            </MenuItem>
          )),
          <MenuItem key="" id="other">
            Another area…
          </MenuItem>,
        ]}
      </Menu>
    </MenuTrigger>
  );
}
