import type { LeadView } from '../../../../src/api/chats.js';
import type { Column } from '../../parts/data-table.js';
import { ChatIcon } from '../../parts/icons.js';
import { EmptyState } from '../../parts/waiting/empty-state.js';
import { ListedRows } from './listed-rows.js';

const columns: readonly Column<LeadView>[] = [
  { name: 'Name', cell: ({ name }) => <Given text={name} /> },
  {
    name: 'Email',
    cell: ({ email }) => <Address scheme="mailto" text={email} form={/^[^\s@]+@[^\s@]+$/} />,
  },
  {
    name: 'Phone',
    cell: ({ phone }) => <Address scheme="tel" text={phone} form={/^\+?[\d ().-]{5,30}$/} />,
  },
];

export const LeadsList = ({ flowId }: { flowId: string }) => (
  <ListedRows<LeadView>
    list="leads"
    flowId={flowId}
    label="Leads"
    columns={columns}
    empty={
      <EmptyState title="No lead yet" icon={<ChatIcon />}>
        Contact details that chat users leave appear here.
      </EmptyState>
    }
  />
);

const Given = ({ text }: { text: string | null }) =>
  text === null || text.trim() === '' ? <span className="visitors-unknown">–</span> : <>{text}</>;

/** A link if the text has the form of such an address, since users can type anything. */
function Address({ scheme, text, form }: { scheme: 'mailto' | 'tel'; text: string | null; form: RegExp }) {
  if (text === null || !form.test(text)) return <Given text={text} />;
  const target = scheme === 'tel' ? text.replace(/[^+\d]/g, '') : encodeURIComponent(text);
  return <a href={`${scheme}:${target}`}>{text}</a>;
}
