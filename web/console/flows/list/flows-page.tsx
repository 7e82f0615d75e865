import { useEffect, useState } from 'react';
import type { FlowSummary } from '../../../../src/api/flows.js';
import { useFlows } from '../../api/use-flows.js';
import { Button } from '../../parts/actions/button.js';
import { LinkButton } from '../../parts/actions/link-button.js';
import { SearchField } from '../../parts/entry/search-field.js';
import { FlowIcon, PlusIcon, UploadIcon } from '../../parts/icons.js';
import { Page } from '../../parts/page.js';
import { EmptyState } from '../../parts/waiting/empty-state.js';
import { Fetched } from '../../parts/waiting/fetched.js';
import { counted } from '../../parts/words.js';
import { expectFlow } from '../prepare-flow.js';
import { FlowTable } from './flow-table.js';
import './flows-page.css';
import { ImportDialog } from './import-dialog.js';

/** Lists the flows with their price and access. */
export function FlowsPage() {
  const [search, setSearch] = useState('');
  const [importing, setImporting] = useState(false);
  const query = useFlows();
  return (
    <Page
      title="Flows"
      actions={
        <>
          <Button icon={<UploadIcon />} onPress={() => setImporting(true)}>
            Import
          </Button>
          <LinkButton to="/console/flows/~new" look="primary">
            <PlusIcon /> New flow
          </LinkButton>
        </>
      }
    >
      <Fetched queries={[query]} label="Loading the flows">
        {query.data && <Found flows={query.data} search={search} onSearch={setSearch} />}
      </Fetched>
      <ImportDialog isOpen={importing} onClose={() => setImporting(false)} />
    </Page>
  );
}

function Found({
  flows,
  search,
  onSearch,
}: {
  flows: readonly FlowSummary[];
  search: string;
  onSearch: (text: string) => void;
}) {
  const found = flows.filter((flow) => matches(flow, search));
  useEffect(expectFlow, []);
  if (flows.length === 0)
    return (
      <EmptyState title="No flow yet" icon={<FlowIcon />}>
        A flow answers messages. Start with a small one, or import an existing one.
      </EmptyState>
    );
  return (
    <>
      <div className="flows-tools">
        <SearchField
          label="Search flows"
          placeholder="Name, id or description"
          value={search}
          onChange={onSearch}
        />
        <p role="status">
          {search === ''
            ? counted(flows.length, 'flow')
            : `${found.length} of ${counted(flows.length, 'flow')}`}
        </p>
      </div>
      {found.length > 0 ? (
        <FlowTable flows={found} />
      ) : (
        <EmptyState title="No flow matches" action={<Button onPress={() => onSearch('')}>Show all</Button>}>
          The search covers names, ids and descriptions.
        </EmptyState>
      )}
    </>
  );
}

function matches({ id, name, description = '' }: FlowSummary, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const text = `${id} ${name} ${description}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
