import { Header, MenuSection, MenuTrigger } from 'react-aria-components';
import { adminKey } from './api/admin-key.js';
import { queryClient } from './api/query-client.js';
import { Button } from './parts/actions/button.js';
import { Menu, MenuItem } from './parts/actions/menu.js';
import { SettingsIcon } from './parts/icons.js';
import { toast } from './parts/overlay/toast.js';
import { chooseTheme, type Theme, THEMES, useTheme } from './theme.js';

const names: Readonly<Record<Theme, string>> = { system: 'Same as device', light: 'Light', dark: 'Dark' };

/** The settings: theme, admin key and a link to the documentation. */
export function SettingsMenu() {
  const theme = useTheme();
  return (
    <MenuTrigger>
      <Button look="quiet" label="Settings" icon={<SettingsIcon />} />
      <Menu label="Settings">
        <MenuSection
          selectionMode="single"
          disallowEmptySelection
          selectedKeys={[theme]}
          onSelectionChange={(keys) => {
            const [chosen] = [...keys];
            chooseTheme(THEMES.find((one) => one === chosen) ?? 'system');
          }}
        >
          <Header className="menu-head">Theme</Header>
          {THEMES.map((one) => (
            <MenuItem key={one} id={one}>
              {names[one]}
            </MenuItem>
          ))}
        </MenuSection>
        <MenuSection aria-label="More">
          <MenuItem id="docs" href="/docs" target="_blank">
            API documentation
          </MenuItem>
          <MenuItem id="forget" onAction={forget}>
            Remove the admin key
          </MenuItem>
        </MenuSection>
      </Menu>
    </MenuTrigger>
  );
}

/** Removes the key, and all cached data except what is shown. */
function forget(): void {
  adminKey.forget();
  queryClient.removeQueries({ type: 'inactive' });
  toast('Admin key removed. You will be asked for it when it is needed.');
}
