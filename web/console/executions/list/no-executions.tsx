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
        Every call to a flow, every capture and every render shows here as it happens.
      </EmptyState>
    );
  const named = search.chatId === undefined ? '' : ` of the chat ${search.chatId}`;
  return (
    <EmptyState
      title={`No execution${named} matches`}
      icon={<SearchIcon />}
      action={<Button onPress={onClear}>Clear the filters</Button>}
    >
      A chat id must be written in full, a telephone number with at least nine digits. Records are kept for a
      limited time.
    </EmptyState>
  );
}
