import { FURNISHINGS } from '../../../../src/api/report-terms.js';
import { META_MEMBERS, type MetaName } from '../../../../src/inspection/report/meta-members.js';
import {
  META_FIELDS,
  dateInput,
  documentRows,
  documentText,
  type DocumentRow,
} from '../../../common/meta-fields.js';
import { Button } from '../../parts/actions/button.js';
import { Field, GroupFault } from '../../parts/entry/field.js';
import { Select } from '../../parts/entry/select.js';
import { PlusIcon, TrashIcon } from '../../parts/icons.js';
import { type Draft, DRAFT_TEXTS, type DraftText } from './draft.js';

const memberIn = (name: DraftText): MetaName => name.split('.')[0] as MetaName;

/** The fields of the front matter, in the order of their table. */
const FRONT = DRAFT_TEXTS.filter((name) => META_MEMBERS[memberIn(name)].printed === 'front matter');
const MEMBERS = [...new Set(FRONT.map(memberIn))];

const FURNISHING_OPTIONS = [
  { value: '', name: 'Not given' },
  ...Object.entries(FURNISHINGS).map(([value, name]) => ({ value, name })),
];

interface FrontFormProps {
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
  /** The fault of the documents. */
  fault: string | undefined;
}

/** The overview, the tenancy, the visit and the documents handed over, which the report prints before its areas. */
export function FrontForm({ draft, onChange, fault }: FrontFormProps) {
  return (
    <details className="report-more" open={FRONT.some((name) => draft[name] !== '')}>
      <summary>Overview, tenancy, visit and documents</summary>
      {MEMBERS.map((member) => (
        <div key={member} className="report-fields">
          {FRONT.filter((name) => memberIn(name) === member).map((name) => (
            <FrontField
              key={name}
              name={name}
              value={draft[name]}
              onChange={(value) => onChange({ [name]: value })}
              fault={name === 'documents' ? fault : undefined}
            />
          ))}
        </div>
      ))}
    </details>
  );
}

interface FrontFieldProps {
  name: DraftText;
  value: string;
  onChange: (value: string) => void;
  /** The fault of the documents. */
  fault?: string | undefined;
}

/** The field of a date, a choice, names or documents. */
export function FrontField({ name, value, onChange, fault }: FrontFieldProps) {
  const { label, input } = META_FIELDS[name];
  if (input === 'documents') return <Documents {...{ value, onChange, fault }} />;
  if (input === 'furnishing')
    return <Select label={label} value={value} onChange={onChange} options={FURNISHING_OPTIONS} />;
  return (
    <Field
      {...{ label, value, onChange }}
      autoComplete="off"
      {...(input === 'names' ? { rows: 2, hint: 'One name a line.' } : {})}
      {...(input === 'date' || input === 'time' ? { type: dateInput(name, value) ?? 'text' } : {})}
    />
  );
}

function Documents({ value, onChange, fault }: Omit<FrontFieldProps, 'name'>) {
  const rows = documentRows(value);
  const put = (at: number, change: Partial<DocumentRow>) =>
    onChange(documentText(rows.map((row, index) => (index === at ? { ...row, ...change } : row))));
  return (
    <fieldset className="report-comments">
      <legend>{META_MEMBERS.documents.label}</legend>
      {rows.map(({ kind, date, note }, at) => (
        <div key={at} className="report-document">
          <Field label={`Document ${at + 1}`} value={kind} onChange={(text) => put(at, { kind: text })} />
          <Field
            label={`Date of document ${at + 1}`}
            value={date}
            onChange={(text) => put(at, { date: text })}
            type={isDate(date) ? 'date' : 'text'}
          />
          <Field
            label={`Note on document ${at + 1}`}
            value={note}
            onChange={(text) => put(at, { note: text })}
          />
          <Button
            look="quiet"
            label={`Remove document ${at + 1}`}
            icon={<TrashIcon />}
            onPress={() => onChange(documentText(rows.filter((_, index) => index !== at)))}
          />
        </div>
      ))}
      <Button
        small
        icon={<PlusIcon />}
        onPress={() => onChange(documentText([...rows, { kind: '', date: '', note: '' }]))}
      >
        Add a document
      </Button>
      <GroupFault fault={fault} />
    </fieldset>
  );
}

const isDate = (text: string): boolean => dateInput('tenancy.start', text) !== undefined;
