import { MenuTrigger } from 'react-aria-components';
import { Button } from '../../parts/actions/button.js';
import { Menu, MenuItem } from '../../parts/actions/menu.js';
import { MoveIcon } from '../../parts/icons.js';

interface MoveMenuProps {
  areas: readonly string[];
  /** The area that all of them are in. */
  here: string | undefined;
  onMove: (area: string) => void;
  /** Called to type another area. */
  onType: () => void;
  small?: boolean;
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
}

/** A menu that moves photographs to an area of the inspection or any other. */
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
