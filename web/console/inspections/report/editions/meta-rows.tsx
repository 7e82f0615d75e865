import { Button } from '../../../parts/actions/button.js';
import { Field } from '../../../parts/entry/field.js';
import { Select } from '../../../parts/entry/select.js';
import { PlusIcon, TrashIcon } from '../../../parts/icons.js';
import { type EditionDraft, META_NAMES, type MetaName } from './edition-draft.js';

const TYPES = [
  { value: '', name: 'Neutral title' },
  { value: 'checkin', name: 'Check-in' },
  { value: 'checkout', name: 'Check-out' },
  { value: 'interim', name: 'Interim' },
];

/** The details of the report that are said anew, one a row. */
export function MetaRows({
  meta,
  onChange,
}: {
  meta: EditionDraft['meta'];
  onChange: (meta: EditionDraft['meta']) => void;
}) {
  const left = (Object.keys(META_NAMES) as MetaName[]).filter(
    (name) => !meta.some((row) => row.name === name),
  );
  const put = (name: MetaName, value: string) =>
    onChange(meta.map((row) => (row.name === name ? { name, value } : row)));
  return (
    <fieldset className="edition-part">
      <legend>Details</legend>
      <p className="edition-note">Those that you do not add stay as they are printed.</p>
      {meta.map(({ name, value }) => (
        <div key={name} className="edition-detail">
          {name === 'reportType' ? (
            <Select
              label={META_NAMES[name]}
              options={TYPES}
              value={value}
              onChange={(type) => put(name, type)}
            />
          ) : (
            <Field
              label={META_NAMES[name]}
              value={value}
              onChange={(text) => put(name, text)}
              autoComplete="off"
              {...(name === 'address' ? { rows: 2 } : {})}
              hint={value === '' ? 'Left empty, it is left out of the report.' : undefined}
              autoFocus
            />
          )}
          <Button
            look="quiet"
            label={`Leave ${META_NAMES[name]} as it is`}
            icon={<TrashIcon />}
            onPress={() => onChange(meta.filter((row) => row.name !== name))}
          />
        </div>
      ))}
      <div className="edition-choices">
        {left.map((name) => (
          <Button
            key={name}
            small
            icon={<PlusIcon />}
            onPress={() => onChange([...meta, { name, value: '' }])}
          >
            {META_NAMES[name]}
          </Button>
        ))}
      </div>
    </fieldset>
  );
}
