import { useId } from 'react';
import { Sheet } from '../sheet/sheet.js';
import { texts } from '../texts.js';
import { AreaSection } from './area-section.js';
import { Failure } from './details-sheet.js';
import { inspectionTexts } from './inspection-texts.js';
import type { SheetProps } from './place.js';
import { ServiceRow } from './service-row.js';
import { useChecklist } from './use-checklist.js';

/** The progress of the inspection: everything recorded, area by area, and what is outstanding. */
export function ChecklistSheet({ place, answered, onArea, onClose }: SheetProps) {
  const { checklist, failed, busy, announcement, editor } = useChecklist({ place, answered });
  const services = useId();
  const goTo = (area: string) => {
    onArea(area);
    onClose();
  };
  return (
    <Sheet title={texts.checklist} onClose={onClose}>
      <div className="checklist" aria-busy={busy}>
        {failed && <Failure sentence={failed.sentence} onAgain={failed.again} />}
        <p className="hidden" role="status">
          {announcement}
        </p>
        {checklist && (
          <>
            <p className="sheet-note" role="status">
              {inspectionTexts.soFar(texts.photographs(checklist.photographs), checklist.areas.length)}
            </p>
            {checklist.lacksCheckIn && (
              <p className="sheet-note" role="status">
                {inspectionTexts.lacksCheckIn}
              </p>
            )}
            <ul className="checklist-areas" aria-label={inspectionTexts.areas}>
              {checklist.areas.map((area) => (
                <AreaSection key={area.key} area={area} editor={editor} onGo={goTo} />
              ))}
            </ul>
            {checklist.services.length > 0 && (
              <section aria-labelledby={services}>
                <h3 id={services}>{inspectionTexts.services}</h3>
                <p className="sheet-note">{inspectionTexts.servicesNote}</p>
                <ul className="checklist-services">
                  {checklist.services.map((service) => (
                    <ServiceRow key={service.slug} service={service} onGo={goTo} onSkip={editor.skip} />
                  ))}
                </ul>
              </section>
            )}
          </>
        )}
      </div>
    </Sheet>
  );
}
