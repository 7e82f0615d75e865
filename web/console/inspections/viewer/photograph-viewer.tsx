import type { KeyboardEvent } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import type { Photograph } from '../../../../src/api/inspections.js';
import type { ReportView } from '../../../../src/api/reports.js';
import { Button } from '../../parts/actions/button.js';
import { ChevronLeftIcon, ChevronRightIcon, CloseIcon } from '../../parts/icons.js';
import { usePicture } from '../photographs/pictures.js';
import type { Place } from '../place.js';
import { PhotographCorrections } from './photograph-corrections.js';
import { PhotographFacts } from './photograph-facts.js';
import './photograph-viewer.css';

interface ViewerProps {
  place: Pick<Place, 'flowId' | 'sessionId'>;
  /** The areas that it can be moved to. */
  areas: readonly string[];
  /** In the order of the previous and next buttons. */
  photographs: readonly Photograph[];
  /** The id of the shown photograph; undefined while closed. */
  open: string | undefined;
  onOpen: (id: string | undefined) => void;
  reports: readonly ReportView[];
}

/** A large photograph with its facts. The arrow keys go to its neighbours, Escape closes. */
export function PhotographViewer({ place, areas, photographs, open, onOpen, reports }: ViewerProps) {
  const index = photographs.findIndex(({ id }) => id === open);
  const photograph = photographs[index];
  return (
    <ModalOverlay
      className="viewer-back"
      isOpen={photograph !== undefined}
      isDismissable
      onOpenChange={(isOpen) => {
        if (!isOpen) onOpen(undefined);
      }}
    >
      <Modal className="viewer">
        <Dialog className="viewer-body">
          {photograph && (
            <Shown
              place={place}
              areas={areas}
              photograph={photograph}
              reports={reports}
              number={index + 1}
              count={photographs.length}
              onGo={(step) => onOpen(photographs.at((index + step) % photographs.length)?.id)}
              onClose={() => onOpen(undefined)}
            />
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Shown({
  place,
  areas,
  photograph,
  reports,
  number,
  count,
  onGo,
  onClose,
}: Pick<ViewerProps, 'place' | 'areas' | 'reports'> & {
  photograph: Photograph;
  number: number;
  count: number;
  onGo: (step: number) => void;
  onClose: () => void;
}) {
  const onKeyDown = ({ key, target, currentTarget }: KeyboardEvent) => {
    // In a field, and in a menu or dialog above this one, the arrow keys have another meaning.
    if (!currentTarget.contains(target as Node) || (target as Element).closest('input, textarea')) return;
    if (key === 'ArrowLeft') onGo(-1);
    if (key === 'ArrowRight') onGo(1);
  };
  return (
    <div className="viewer-parts" onKeyDown={onKeyDown}>
      <div className="viewer-head">
        <Heading slot="title">{photograph.area}</Heading>
        <span className="viewer-number" role="status">
          {number} of {count}
        </span>
        <Button
          look="quiet"
          label="Previous photograph"
          icon={<ChevronLeftIcon />}
          onPress={() => onGo(-1)}
        />
        <Button look="quiet" label="Next photograph" icon={<ChevronRightIcon />} onPress={() => onGo(1)} />
        <Button autoFocus look="quiet" label="Close" icon={<CloseIcon />} onPress={onClose} />
      </div>
      <Large key={photograph.id} photograph={photograph} />
      <PhotographFacts key={`facts ${photograph.id}`} photograph={photograph} reports={reports}>
        <PhotographCorrections place={place} photograph={photograph} areas={areas} reports={reports} />
      </PhotographFacts>
    </div>
  );
}

function Large({ photograph }: { photograph: Photograph }) {
  const { area, caption } = photograph;
  const { url, failed } = usePicture(photograph, true);
  return (
    <div className="viewer-picture">
      {url !== undefined && <img src={url} alt={caption ?? `Photograph of ${area}`} />}
      {failed && <p>This picture could not be loaded. Try its original.</p>}
    </div>
  );
}
