import { useState } from 'react';
import { Header, MenuSection, MenuTrigger } from 'react-aria-components';
import { Button } from '../../parts/actions/button.js';
import { Menu, MenuItem } from '../../parts/actions/menu.js';
import { Field } from '../../parts/entry/field.js';
import { ListIcon } from '../../parts/icons.js';
import { DialogForm } from '../../parts/overlay/dialog-form.js';
import { Dialog } from '../../parts/overlay/dialog.js';
import { toast } from '../../parts/overlay/toast.js';
import type { ExecutionsSearch } from '../../search.js';
import { LONGEST_NAME, savedViews, searchOf, useSavedViews, viewOf } from './saved-views.js';

/** The menu of saved views. It saves the current filters under a name, and removes the view that is open. */
export function ViewsMenu({
  search,
  onOpen,
}: {
  search: ExecutionsSearch;
  onOpen: (search: ExecutionsSearch) => void;
}) {
  const views = useSavedViews();
  const [isNaming, setNaming] = useState(false);
  const current = viewOf(views, search);
  const isFiltered = Object.keys(search).length > 0;
  const remove = (name: string) => {
    savedViews.remove(name);
    toast(`View “${name}” removed. The executions stay.`);
  };
  return (
    <>
      <MenuTrigger>
        <Button icon={<ListIcon />}>Views</Button>
        <Menu label="Views">
          <MenuSection
            selectionMode="single"
            selectedKeys={current ? [`view ${current.name}`] : []}
            aria-label="Saved views"
          >
            <Header className="menu-head">
              {views.length === 0 ? 'No view is saved in this browser' : 'Saved in this browser'}
            </Header>
            {views.map((view) => (
              <MenuItem key={view.name} id={`view ${view.name}`} onAction={() => onOpen(searchOf(view))}>
                {view.name}
              </MenuItem>
            ))}
          </MenuSection>
          <MenuSection aria-label="These filters">
            <MenuItem id="save" isDisabled={!isFiltered} onAction={() => setNaming(true)}>
              Save these filters…
            </MenuItem>
            {current && (
              <MenuItem id="remove" onAction={() => remove(current.name)}>
                {`Remove “${current.name}”`}
              </MenuItem>
            )}
          </MenuSection>
        </Menu>
      </MenuTrigger>
      <Dialog title="Save these filters" isOpen={isNaming} onClose={() => setNaming(false)}>
        <NameForm name={current?.name ?? ''} search={search} onClose={() => setNaming(false)} />
      </Dialog>
    </>
  );
}

function NameForm({
  name: before,
  search,
  onClose,
}: {
  name: string;
  search: ExecutionsSearch;
  onClose: () => void;
}) {
  const views = useSavedViews();
  const [name, setName] = useState(before);
  const trimmed = name.trim().slice(0, LONGEST_NAME);
  const save = () => {
    if (trimmed === '') return;
    savedViews.save(trimmed, search);
    toast(`View “${trimmed}” saved.`);
    onClose();
  };
  return (
    <DialogForm action="Save" isPending={false} onSubmit={save} onClose={onClose}>
      <Field
        label="Name"
        value={name}
        onChange={setName}
        autoFocus
        isRequired
        hint={
          views.some((view) => view.name === trimmed)
            ? 'This replaces the view of that name.'
            : 'It is saved in this browser, for everyone who uses it.'
        }
      />
    </DialogForm>
  );
}
