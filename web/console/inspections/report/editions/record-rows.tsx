import { useState } from 'react';
import type { FactMemberName } from '../../../../../src/api/inspection-terms.js';
import type { Photograph } from '../../../../../src/api/inspections.js';
import {
  FACT_MEMBER_CHOICES,
  factMemberLabel,
  LONGEST_FACT_MEMBERS,
} from '../../../../common/fact-members.js';
import { Checkbox } from '../../../parts/entry/checkbox.js';
import { Field } from '../../../parts/entry/field.js';
import { type Option, Select } from '../../../parts/entry/select.js';
import { counted } from '../../../parts/words.js';
import { factInWords } from '../../photographs/fact-words.js';
import { usePicture } from '../../photographs/pictures.js';
import { ukStamp } from '../../photographs/uk-stamp.js';
import {
  type EditionDraft,
  faultOf,
  keyOf,
  type Recorded,
  type RecordValues,
  valuesOf,
} from './edition-draft.js';

interface RecordRowsProps {
  records: readonly Recorded[];
  drafts: EditionDraft['records'];
  /** Show faults. */
  tried: boolean;
  onChange: (record: Recorded, values: RecordValues) => void;
}

/** Corrects the records of a report, in one collapsed section per area. */
export function RecordRows(props: RecordRowsProps) {
  const areas = new Map<string, Recorded[]>();
  for (const record of props.records)
    areas.set(record.entry.area, [...(areas.get(record.entry.area) ?? []), record]);
  return (
    <fieldset className="edition-part">
      <legend>Photographs, remarks and facts</legend>
      {[...areas].map(([area, records]) => (
        <AreaRows key={area} {...props} area={area} records={records} />
      ))}
    </fieldset>
  );
}

function AreaRows({ area, records, drafts, tried, onChange }: RecordRowsProps & { area: string }) {
  const [open, setOpen] = useState(false);
  const wrong =
    tried && records.some((record) => faultOf(record, drafts.get(keyOf(record)) ?? valuesOf(record)));
  return (
    <details
      className="edition-area"
      open={open || wrong}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        {area} <span>{inWords(records)}</span>
      </summary>
      {(open || wrong) && (
        <ul>
          {records.map((record) => (
            <Row
              key={keyOf(record)}
              record={record}
              values={drafts.get(keyOf(record)) ?? valuesOf(record)}
              tried={tried}
              onChange={(values) => onChange(record, values)}
            />
          ))}
        </ul>
      )}
    </details>
  );
}

function inWords(records: readonly Recorded[]): string {
  const kinds = ['photograph', 'remark', 'fact'] as const;
  const counts = kinds.map(
    (kind) => [kind, records.filter((record) => record.kind === kind).length] as const,
  );
  return counts.flatMap(([kind, count]) => (count === 0 ? [] : [counted(count, kind)])).join(', ');
}

interface RowProps {
  record: Recorded;
  values: RecordValues;
  tried: boolean;
  onChange: (values: RecordValues) => void;
}

function Row({ record, values, tried, onChange }: RowProps) {
  const { withdrawn, texts } = values;
  const wrong = tried ? faultOf(record, values) : undefined;
  const title = titleOf(record);
  const put = (name: string, text: string) => onChange({ withdrawn, texts: { ...texts, [name]: text } });
  return (
    <li className="edition-record" aria-label={title}>
      <div className="edition-record-head">
        {record.kind === 'photograph' && <Print photograph={record.entry} />}
        <strong>{title}</strong>
      </div>
      <div className="edition-fields">
        {!withdrawn &&
          Object.entries(texts).map(([name, value]) => {
            const options = OPTIONS[name];
            const fault = wrong?.name === name ? wrong.fault : '';
            const on = { label: labelOf(record, name), value, onChange: (text: string) => put(name, text) };
            return options ? (
              <Select key={name} {...on} options={options} />
            ) : (
              <Field
                key={name}
                {...on}
                fault={fault}
                autoComplete="off"
                maxLength={LONGEST[name] ?? 500}
                {...(name === 'text' ? { rows: 3 } : {})}
              />
            );
          })}
        <Checkbox isSelected={withdrawn} onChange={(next) => onChange({ withdrawn: next, texts })}>
          Withdrawn: stored, but neither printed nor counted
        </Checkbox>
      </div>
    </li>
  );
}

function Print({ photograph }: { photograph: Photograph }) {
  const { url } = usePicture(photograph, true);
  return (
    <span className="edition-print">{url !== undefined && <img src={url} alt="" decoding="async" />}</span>
  );
}

function titleOf({ kind, entry }: Recorded): string {
  if (kind === 'photograph') return `Photograph of ${ukStamp(entry.capturedAt)}`;
  return kind === 'remark' ? 'Remark' : factInWords(entry);
}

const LONGEST: Readonly<Record<string, number>> = {
  ...LONGEST_FACT_MEMBERS,
  ...{ area: 200, caption: 2_000, text: 65_536 },
};

const LABELS: Readonly<Record<string, string>> = {
  area: 'Area',
  caption: 'Caption',
  turn: 'Rotation',
  text: 'Text',
};

const labelOf = ({ kind, entry }: Recorded, name: string): string =>
  LABELS[name] ?? (kind === 'fact' ? factMemberLabel(entry.kind, name as FactMemberName) : name);

const OPTIONS: Readonly<Record<string, readonly Option<string>[]>> = {
  ...FACT_MEMBER_CHOICES,
  turn: [
    { value: '', name: 'Unchanged' },
    { value: '90', name: '90° clockwise' },
    { value: '180', name: '180°' },
    { value: '270', name: '90° anticlockwise' },
  ],
};
