import type { useQuery } from '@tanstack/react-query';
import type { DetailsOfReportView } from '../../../../../src/api/reports.js';
import { META_FIELDS } from '../../../../common/meta-fields.js';
import { Field } from '../../../parts/entry/field.js';
import { type Option, Select } from '../../../parts/entry/select.js';
import { Loading } from '../../../parts/waiting/loading.js';
import { Problem } from '../../../parts/waiting/problem.js';
import { FrontField } from '../front-form.js';
import { EDITION_FIELDS, type EditionDraft, type EditionField, printedIn } from './edition-draft.js';

const TYPES: readonly Option<string>[] = [
  { value: '', name: 'Neutral title' },
  { value: 'checkin', name: 'Check-in' },
  { value: 'checkout', name: 'Check-out' },
  { value: 'interim', name: 'Interim' },
];

interface MetaRowsProps {
  meta: EditionDraft['meta'];
  /** The printed details of the report. */
  details: ReturnType<typeof useQuery<DetailsOfReportView>>;
  documentsFault: string | undefined;
  onChange: (meta: EditionDraft['meta']) => void;
}

/** Corrects the printed details of the report. */
export function MetaRows({ meta, details, documentsFault, onChange }: MetaRowsProps) {
  const { data, error, refetch } = details;
  const printed = data && printedIn(data.details);
  return (
    <fieldset className="edition-part">
      <legend>Details</legend>
      <p className="edition-note">The printed details. Change only what is wrong.</p>
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading label="Loading the details" lines={4} />}
      {printed && (
        <div className="edition-fields">
          {EDITION_FIELDS.map((name) => (
            <Detail
              key={name}
              name={name}
              printed={printed[name] ?? ''}
              value={meta[name] ?? printed[name] ?? ''}
              fault={name === 'documents' ? documentsFault : undefined}
              onChange={(value) => onChange({ ...meta, [name]: value })}
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}

interface DetailProps {
  name: EditionField;
  printed: string;
  value: string;
  fault: string | undefined;
  onChange: (value: string) => void;
}

function Detail({ name, printed, value, fault, onChange }: DetailProps) {
  const { label, input } = META_FIELDS[name];
  if (name === 'reportType')
    return <Select label="Type" options={typesWith(printed)} value={value} onChange={onChange} />;
  if (input !== 'text' && input !== 'report') return <FrontField {...{ name, value, fault, onChange }} />;
  const isLeftOut = value === '' && printed !== '';
  return (
    <Field
      label={label}
      value={value}
      onChange={onChange}
      autoComplete="off"
      {...(name === 'address' ? { rows: 2 } : {})}
      hint={isLeftOut ? 'If empty, it is left out of the report.' : undefined}
    />
  );
}

/** Adds a custom report type, which also has the neutral title. */
const typesWith = (printed: string): Option<string>[] =>
  TYPES.some(({ value }) => value === printed)
    ? [...TYPES]
    : [...TYPES, { value: printed, name: `${printed} (neutral title)` }];
