import { LinkButton } from './parts/actions/link-button.js';
import { Page } from './parts/page.js';
import { EmptyState } from './parts/waiting/empty-state.js';

export function PageMissing() {
  return (
    <Page title="There is no such page">
      <EmptyState
        title="The address leads nowhere"
        action={<LinkButton to="/console/executions">To the executions</LinkButton>}
      >
        It may have been mistyped or cut off.
      </EmptyState>
    </Page>
  );
}
