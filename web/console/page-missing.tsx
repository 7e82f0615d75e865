import { LinkButton } from './parts/actions/link-button.js';
import { Page } from './parts/page.js';
import { EmptyState } from './parts/waiting/empty-state.js';

export function PageMissing() {
  return (
    <Page title="Page not found">
      <EmptyState
        title="This address does not exist"
        action={<LinkButton to="/console/executions">Go to executions</LinkButton>}
      >
        It may have been mistyped or cut off.
      </EmptyState>
    </Page>
  );
}
