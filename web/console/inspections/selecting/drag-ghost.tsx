import type { RefObject } from 'react';
import type { Photograph } from '../../../../src/api/inspections.js';
import { counted } from '../../parts/words.js';
import { usePicture } from '../photographs/pictures.js';
import './drag-ghost.css';

interface DragGhostProps {
  place: RefObject<HTMLDivElement | null>;
  photographs: readonly Photograph[];
  lifted: ReadonlySet<string>;
}

/** The dragged photographs, beside the pointer. */
export function DragGhost({ place, photographs, lifted }: DragGhostProps) {
  const first = photographs.find(({ id }) => lifted.has(id));
  return (
    <div ref={place} className="drag-ghost" aria-hidden="true">
      {first && (
        <>
          <Picture photograph={first} />
          <span>{counted(lifted.size, 'photograph')}</span>
        </>
      )}
    </div>
  );
}

function Picture({ photograph }: { photograph: Photograph }) {
  const { url } = usePicture(photograph, true);
  return url === undefined ? null : <img src={url} alt="" />;
}

/** The drop target for an area that does not exist yet. */
export function DropElsewhere() {
  return (
    <div className="drop-elsewhere" data-area="">
      Drop here for another area…
    </div>
  );
}
