import { type FormEvent, useEffect, useId, useState } from 'react';
import type { Change } from '../../../src/api/corrections.js';
import { FACT_MEMBERS_OF, type FactMemberName } from '../../../src/api/inspection-terms.js';
import type { ThingView } from '../../../src/api/things.js';
import {
  FACT_MEMBER_CHOICES,
  factMemberLabel,
  factMemberText,
  type FactMemberWord,
  LONGEST_FACT_MEMBERS,
} from '../../common/fact-members.js';
import { SheetSection } from '../sheet/sheet-section.js';
import { Failure } from './details-sheet.js';
import { failureInWords } from './inspection-service.js';
import { inspectionTexts } from './inspection-texts.js';
import { draftOf, storeDraft, type ThingValues } from './thing-drafts.js';
import type { ChecklistEditor } from './use-checklist.js';

interface Field {
  name: 'text' | FactMemberName;
  label: string;
  longest: number;
}

const LONGEST_REMARK = 65_536;
const LONGEST = 500;
const MULTILINE: ReadonlySet<string> = new Set<Field['name']>(['text', 'description']);

const NUMBERS: ReadonlySet<string> = new Set<Field['name']>(['count', 'returned', 'quantity']);

/** The fields of a kind; the first is required. */
function fieldsOf({ kind }: ThingView): Field[] {
  if (kind === 'remark') return [{ name: 'text', label: inspectionTexts.remark, longest: LONGEST_REMARK }];
  if (kind === 'photograph' || kind === 'absence' || kind === 'detail') return [];
  return FACT_MEMBERS_OF[kind].map((name) => ({
    name,
    label: factMemberLabel(kind, name),
    longest: LONGEST_FACT_MEMBERS[name] ?? LONGEST,
  }));
}

interface ThingFormProps {
  thing: ThingView;
  editor: ChecklistEditor;
}

/** Edits the words of a thing. What is typed stays on the device until it is saved. */
export function ThingForm({ thing, editor }: ThingFormProps) {
  const { id, kind, text = '' } = thing;
  const { place, service } = editor;
  const fields = fieldsOf(thing);
  const [recorded, setRecorded] = useState<ThingValues | undefined>(kind === 'remark' ? { text } : undefined);
  const [typed, setTyped] = useState<ThingValues>(() => draftOf(place, id) ?? {});
  const [failure, setFailure] = useState<string>();
  const load = async () => {
    setFailure(undefined);
    try {
      const fact = Object.entries(await service.fact(id)) as [FactMemberName, FactMemberWord][];
      setRecorded(Object.fromEntries(fact.map(([name, word]) => [name, factMemberText(word)])));
    } catch (error) {
      setFailure(failureInWords(error));
    }
  };
  useEffect(() => {
    if (kind === 'remark') setRecorded({ text });
    else void load();
  }, [kind, text]);
  const type = (name: string, value: string) => {
    const next = { ...typed, [name]: value };
    setTyped(next);
    const unsaved = Object.entries(next).filter(([each, text]) => text.trim() !== (recorded?.[each] ?? ''));
    storeDraft(place, id, unsaved.length === 0 ? undefined : Object.fromEntries(unsaved));
  };
  const valueOf = (name: string) => typed[name] ?? recorded?.[name] ?? '';
  const changed = fields.filter(({ name }) => valueOf(name).trim() !== (recorded?.[name] ?? ''));
  const isMissing = valueOf(fields[0]?.name ?? '').trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const change: Change = Object.fromEntries(changed.map(({ name }) => [name, valueOf(name).trim()]));
    void editor.save(thing, change);
  };
  return (
    <SheetSection title={inspectionTexts.edit}>
      {failure !== undefined && <Failure sentence={failure} onAgain={() => void load()} />}
      {recorded && (
        <form className="checklist-edit" onSubmit={submit}>
          {fields.map((field) => (
            <Entry
              key={field.name}
              field={field}
              value={valueOf(field.name)}
              onType={(value) => type(field.name, value)}
            />
          ))}
          <button type="submit" className="primary" disabled={changed.length === 0 || isMissing}>
            {inspectionTexts.save}
          </button>
        </form>
      )}
    </SheetSection>
  );
}

interface EntryProps {
  field: Field;
  value: string;
  onType: (value: string) => void;
}

function Entry({ field: { name, label, longest }, value, onType }: EntryProps) {
  const id = useId();
  const choices = name === 'text' ? undefined : FACT_MEMBER_CHOICES[name];
  const common = {
    ...{ id, value, maxLength: longest },
    onChange: ({ target }: { target: { value: string } }) => onType(target.value),
  };
  return (
    <div className="checklist-entry">
      <label htmlFor={id}>{label}</label>
      {choices ? (
        <select id={id} value={value} onChange={common.onChange}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.name}
            </option>
          ))}
        </select>
      ) : MULTILINE.has(name) ? (
        <textarea {...common} rows={2} />
      ) : NUMBERS.has(name) ? (
        <input {...common} type="number" min={0} step={1} inputMode="numeric" />
      ) : (
        <input {...common} autoComplete="off" enterKeyHint="done" />
      )}
    </div>
  );
}
