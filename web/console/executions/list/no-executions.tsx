import { Button } from '../../parts/actions/button.js';
import { LinkButton } from '../../parts/actions/link-button.js';
import { ListIcon, SearchIcon } from '../../parts/icons.js';
import { EmptyState } from '../../parts/waiting/empty-state.js';
import type { ExecutionsSearch } from '../../search.js';

export function NoExecutions({ search, onClear }: { search: ExecutionsSearch; onClear: () => void }) {
  if (Object.keys(search).length === 0)
    return (
      <EmptyState
        title="Nothing has run yet"
        icon={<ListIcon />}
        action={<LinkButton to="/console/flows">Try a flow</LinkButton>}
      >
        Calls to flows, captures and renders appear here as they happen.
      </EmptyState>
    );
  const named = search.chatId === undefined ? '' : ` in the chat ${search.chatId}`;
  return (
    <EmptyState
      title={`No execution${named} matches`}
      icon={<SearchIcon />}
      action={<Button onPress={onClear}>Clear the filters</Button>}
    >
      Enter a chat id in full, or at least nine digits of a phone number. Records are deleted after a set
      time.
    </EmptyState>
  );
}
