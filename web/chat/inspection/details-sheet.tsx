import { useEffect, useState, useSyncExternalStore } from 'react';
import { META_MEMBERS } from '../../../src/inspection/report/meta-members.js';
import { Sheet } from '../sheet/sheet.js';
import { texts } from '../texts.js';
import { type FieldName, OTHER_FIELDS } from './details-fields.js';
import { DocumentsField } from './documents-field.js';
import { failureInWords, InspectionService } from './inspection-service.js';
import { inspectionTexts } from './inspection-texts.js';
import type { InspectionPlace, SheetProps } from './place.js';
import { RecordEditor } from './record-editor.js';
import { DateField, FurnishingField, GuidedField, TextField, TypeField } from './record-field.js';

/** The record of the inspection. Each field is saved when it loses the focus. */
export function DetailsSheet({ place, onClose }: SheetProps) {
  const [editor] = useState(() => editorOf(place));
  const { known, failure, fields } = useSyncExternalStore(editor.subscribe, editor.snapshot);
  useEffect(() => void editor.open(), [editor]);
  const field = (name: FieldName) => ({ name, editor, state: fields[name]! });
  return (
    <Sheet title={texts.details} onClose={onClose}>
      <div className="details" aria-busy={!known && failure === undefined}>
        <p className="sheet-note">{inspectionTexts.detailsNote}</p>
        {failure !== undefined && <Failure sentence={failure} onAgain={() => void editor.open()} />}
        <TextField {...field('address')} long />
        <div className="details-pair">
          <TextField {...field('propertyNo')} />
          <TextField {...field('postcode')} />
        </div>
        <TypeField {...field('reportType')} />
        {(fields.reportType?.text === 'checkout' || fields.previousReport?.text !== '') && (
          <TextField {...field('previousReport')} hint={inspectionTexts.previousReportHint} />
        )}
        <TextField {...field('assessor')} />
        <TextField {...field('company')} />
        <TextField {...field('tenant')} />
        {OTHER_FIELDS.map((name) => (
          <TextField key={name} {...field(name)} />
        ))}
        <GuidedField {...field('guided')} />
        <div className="details-pair">
          <DateField {...field('tenancy.start')} />
          <DateField {...field('tenancy.end')} />
        </div>
        <DateField {...field('visit.start')} />
        <DateField {...field('visit.end')} />
        <TextField {...field('present')} long hint={inspectionTexts.presentHint} />
        <fieldset className="details-keys">
          <legend>{META_MEMBERS.overview.label}</legend>
          <FurnishingField {...field('overview.furnished')} />
          <TextField {...field('overview.decor')} />
          <TextField {...field('overview.cleanliness')} />
        </fieldset>
        <DocumentsField {...field('documents')} />
        <fieldset className="details-keys">
          <legend>{META_MEMBERS.keyDetails.label}</legend>
          <TextField {...field('keyDetails.numberOfKeys')} />
          <div className="details-pair">
            <TextField {...field('keyDetails.takenFrom')} />
            <TextField {...field('keyDetails.handedTo')} />
          </div>
        </fieldset>
      </div>
    </Sheet>
  );
}

export function Failure({ sentence, onAgain }: { sentence: string; onAgain: () => void }) {
  return (
    <div className="sheet-failure" role="alert">
      <p>{sentence}</p>
      <button type="button" className="quiet-button" onClick={onAgain}>
        {texts.tryAgain}
      </button>
    </div>
  );
}

function editorOf(place: InspectionPlace): RecordEditor {
  const name = `details:${place.sessionId()}`;
  return new RecordEditor({
    service: new InspectionService(place),
    drafts: {
      read: () => place.storage.get(name) ?? {},
      write: (drafts) => place.storage.set(name, Object.keys(drafts).length === 0 ? undefined : drafts),
    },
    inWords: failureInWords,
  });
}
