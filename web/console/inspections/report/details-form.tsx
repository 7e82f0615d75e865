import { META_MEMBERS } from '../../../../src/inspection/report/meta-members.js';
import { META_FIELDS } from '../../../common/meta-fields.js';
import { Checkbox } from '../../parts/entry/checkbox.js';
import { Field } from '../../parts/entry/field.js';
import { Select } from '../../parts/entry/select.js';
import { CheckInField } from './check-in-field.js';
import { CommentsForm } from './comments-form.js';
import { type Draft, DRAFT_TEXTS, type faultsOf, KEY_PARTS, REPORT_TYPES } from './draft.js';
import { FrontForm } from './front-form.js';
import { LogoField } from './logo-field.js';

/** Text fields with a fixed place in the form; the others follow them. */
const PLACED: ReadonlySet<string> = new Set(
  'address company assessor tenant propertyNo postcode logo'.split(' '),
);
const OTHERS = DRAFT_TEXTS.filter(
  (name) => !PLACED.has(name) && META_FIELDS[name].input === 'text' && !name.includes('.'),
);

const TITLES = {
  checkin: 'Check-in',
  checkout: 'Check-out',
  interim: 'Interim',
  '': 'Other (neutral title)',
};

interface DetailsFormProps {
  sessionId: string;
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
  areas: readonly string[];
  faults: ReturnType<typeof faultsOf>;
  /** The service can send email. */
  mail: boolean;
}

/** The details that the report prints. All are optional. */
export function DetailsForm({ sessionId, draft, onChange, areas, faults, mail }: DetailsFormProps) {
  const text = (name: TextName) => ({
    value: draft[name],
    onChange: (value: string) => onChange({ [name]: value }),
    autoComplete: 'off',
  });
  const optional = [draft.geo, draft.logo, ...KEY_PARTS.map((name) => draft[name])];
  return (
    <>
      <fieldset className="report-fields">
        <legend>
          Report <span className="report-optional">All fields are optional.</span>
        </legend>
        <Select
          label="Type"
          value={draft.reportType}
          onChange={(reportType) => onChange({ reportType })}
          options={REPORT_TYPES.map((value) => ({ value, name: TITLES[value] }))}
        />
        {(draft.reportType === 'checkout' || draft.previousReport !== '') && (
          <CheckInField draft={draft} onChange={onChange} sessionId={sessionId} />
        )}
        <Field label={META_MEMBERS.company.label} {...text('company')} />
        <Field
          label={META_MEMBERS.address.label}
          {...text('address')}
          rows={2}
          placeholder="14 Acacia Avenue, Leeds LS1 4AP"
          hint="The full address with the postcode, as printed on the cover."
        />
        <Field
          label={META_MEMBERS.propertyNo.label}
          {...text('propertyNo')}
          hint="Used in the file name, not on the cover."
        />
        <Field
          label={META_MEMBERS.postcode.label}
          {...text('postcode')}
          hint="Used in the file name, not on the cover."
        />
        <Field label={META_MEMBERS.assessor.label} {...text('assessor')} />
        <Field
          label={META_MEMBERS.tenant.label}
          {...text('tenant')}
          hint="If empty, the signature line is blank."
        />
        {OTHERS.map((name) => (
          <Field key={name} label={META_FIELDS[name].label} {...text(name)} />
        ))}
        <Checkbox isSelected={draft.guided} onChange={(guided) => onChange({ guided })}>
          Guided self inspection by the tenant
        </Checkbox>
        {mail && (
          <Field
            label="Email it to"
            {...text('emailTo')}
            inputMode="email"
            hint="Up to ten addresses, separated by commas."
          />
        )}
        <Field
          label="Maximum file size, in MB"
          {...text('maxMegabytes')}
          inputMode="decimal"
          fault={faults.maxMegabytes}
          hint="Pictures are reduced until the file fits. If empty, they stay as recorded."
        />
      </fieldset>
      <FrontForm draft={draft} onChange={onChange} fault={faults.documents} />
      <CommentsForm
        comments={draft.comments}
        areas={areas}
        onChange={(comments) => onChange({ comments })}
        fault={faults.comments}
      />
      <details className="report-more" open={optional.some((value) => value !== '')}>
        <summary>Keys, coordinate and logo</summary>
        <div className="report-fields">
          <Field label="Number of keys" {...text('keyDetails.numberOfKeys')} inputMode="numeric" />
          <Field label="Keys taken from" {...text('keyDetails.takenFrom')} />
          <Field label="Keys handed to" {...text('keyDetails.handedTo')} />
          <Field
            label={META_MEMBERS.geo.label}
            {...text('geo')}
            fault={faults.geo}
            placeholder="51.501364, -0.141890"
          />
          <LogoField
            name={draft.logoName}
            isThere={draft.logo !== ''}
            onChange={(logo, logoName) => onChange({ logo, logoName })}
          />
        </div>
      </details>
    </>
  );
}

type TextName = {
  [Name in keyof Draft]: Draft[Name] extends string ? (string extends Draft[Name] ? Name : never) : never;
}[keyof Draft];
