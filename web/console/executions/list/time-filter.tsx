import { useState } from 'react';
import { Button } from '../../parts/actions/button.js';
import { Field } from '../../parts/entry/field.js';
import { Select } from '../../parts/entry/select.js';
import { Dialog } from '../../parts/overlay/dialog.js';
import { instantInWords } from '../../parts/words.js';
import {
  instantOf,
  localText,
  QUICK_RANGES,
  type QuickRange,
  quickRangeOf,
  type Range,
  rangeOf,
} from '../outcomes/time-range.js';

type Choice = QuickRange | 'other' | 'ask';

/** Filters by start time: a preset range, or from and to. */
export function TimeFilter({
  range,
  onChange,
}: {
  range: Range;
  onChange: (range: { from: string | undefined; to: string | undefined }) => void;
}) {
  const [isAsking, setAsking] = useState(false);
  const quick = quickRangeOf(range);
  const choose = (choice: Choice) => {
    if (choice === 'ask') return setAsking(true);
    if (choice === 'other') return;
    const { from, to } = rangeOf(choice);
    onChange({ from, to });
  };
  return (
    <>
      <Select<Choice>
        label="Time"
        showLabel={false}
        options={[
          ...QUICK_RANGES,
          ...(quick === 'other' ? [{ value: quick, name: rangeInWords(range) }] : []),
          { value: 'ask', name: 'From and to…' },
        ]}
        value={quick}
        onChange={choose}
      />
      <Dialog title="From and to" isOpen={isAsking} onClose={() => setAsking(false)}>
        <RangeForm
          range={range}
          onDone={(chosen) => {
            if (chosen) onChange(chosen);
            setAsking(false);
          }}
        />
      </Dialog>
    </>
  );
}

function RangeForm({
  range,
  onDone,
}: {
  range: Range;
  onDone: (range?: { from: string | undefined; to: string | undefined }) => void;
}) {
  const [from, setFrom] = useState(localText(range.from));
  const [to, setTo] = useState(localText(range.to));
  const chosen = { from: instantOf(from), to: instantOf(to, true) };
  const turned = chosen.from !== undefined && chosen.to !== undefined && chosen.from > chosen.to;
  return (
    <form
      className="range-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!turned) onDone(chosen);
      }}
    >
      <Field label="From" type="datetime-local" value={from} onChange={setFrom} />
      <Field
        label="To"
        type="datetime-local"
        value={to}
        onChange={setTo}
        fault={turned ? 'The end is before the start.' : ''}
        hint="In this device’s time zone. Leave empty for no end."
      />
      <div className="dialog-actions">
        <Button onPress={() => onDone()}>Cancel</Button>
        <Button type="submit" look="primary">
          Show
        </Button>
      </div>
    </form>
  );
}

function rangeInWords({ from, to }: Range): string {
  const words = (iso: string) => (instantInWords(iso) ?? iso).replace(/:\d\d$/, '');
  if (from !== undefined && to !== undefined) return `${words(from)} – ${words(to)}`;
  return from === undefined ? `Until ${words(to ?? '')}` : `Since ${words(from)}`;
}
