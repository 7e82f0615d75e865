import { Radio, RadioGroup } from 'react-aria-components';
import { Checkbox } from '../../parts/entry/checkbox.js';
import { SERVICE_AREAS } from '../photographs/service-areas.js';
import { type Completeness, type Draft, expectsAreas } from './draft.js';

const CHOICES: readonly { value: Completeness; name: string; hint: string }[] = [
  { value: 'list', name: 'Create it anyway', hint: 'Outstanding areas are listed with the report.' },
  { value: 'require', name: 'Only when complete', hint: 'Refused while any area is outstanding.' },
  {
    value: 'force',
    name: 'Leave out missing areas',
    hint: 'The report counts as complete. Nothing is listed as outstanding.',
  },
];

/** Marks the areas that the property does not have, and decides what to do about missing ones. */
export function OutstandingForm({
  draft,
  onChange,
  outstanding,
}: {
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
  outstanding: readonly string[];
}) {
  const offered = SERVICE_AREAS.filter(
    ({ slug }) => outstanding.includes(slug) || draft.skipped.includes(slug),
  );
  const skip = (slug: string, isSkipped: boolean) =>
    onChange({ skipped: [...draft.skipped.filter((one) => one !== slug), ...(isSkipped ? [slug] : [])] });
  return (
    <>
      {offered.length > 0 && (
        <fieldset className="report-skips">
          <legend>Not available at the property</legend>
          {offered.map(({ slug, name }) => (
            <Checkbox
              key={slug}
              isSelected={draft.skipped.includes(slug)}
              onChange={(isSelected) => skip(slug, isSelected)}
            >
              {name}
            </Checkbox>
          ))}
        </fieldset>
      )}
      {expectsAreas(draft) && (
        <RadioGroup
          className="report-choices"
          aria-label="If areas are outstanding"
          value={draft.completeness}
          onChange={(value) => onChange({ completeness: value as Completeness })}
        >
          {CHOICES.map(({ value, name, hint }) => (
            <Radio key={value} value={value} className="report-choice">
              <span className="report-radio" />
              <span>
                {name}
                <small>{hint}</small>
              </span>
            </Radio>
          ))}
        </RadioGroup>
      )}
    </>
  );
}
