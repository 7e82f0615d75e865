import { use, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { CloseIcon } from '../../common/icons.js';
import { useModal } from '../sheet/use-modal.js';
import { texts } from '../texts.js';
import { type LargePicture, LargePicturesContext } from './large-pictures.js';
import { Thumbnail, turned } from './thumbnail.js';

interface PictureProps {
  id: string;
  name: string;
  /** Its accessible name. */
  label: string;
  /** The rotation since it was sent, in degrees clockwise. */
  turn?: number;
}

/** A photograph that enlarges when it is tapped. */
export function Picture({ id, name, label, turn = 0 }: PictureProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <span className="picture">
        <Thumbnail id={id} name={name} turn={turn} />
        <button
          type="button"
          aria-label={texts.enlarge(label)}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        />
      </span>
      {/* Outside the tray's form and anything that clips its content. */}
      {open && createPortal(<Enlarged id={id} name={name} onClose={() => setOpen(false)} />, document.body)}
    </>
  );
}

/** The enlarged photograph. A tap anywhere or Escape closes it, and the browser returns the focus to its opener. */
function Enlarged({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const modal = useModal(onClose);
  const picture = useLarge(id);
  return (
    <dialog {...modal} className="enlarged" aria-label={name} onClick={onClose}>
      {picture.url !== undefined && (
        <img
          className={picture.small ? 'small' : ''}
          src={picture.url}
          alt={name}
          style={turned(picture.turn ?? 0)}
        />
      )}
      {picture.url === undefined && picture.ready && <p className="no-picture">{texts.noPicture}</p>}
      <p className="enlarged-name">{name}</p>
      <button type="button" className="enlarged-close" aria-label={texts.close} autoFocus onClick={onClose}>
        <CloseIcon />
      </button>
    </dialog>
  );
}

function useLarge(id: string): LargePicture {
  const pictures = use(LargePicturesContext)!;
  const [picture, setPicture] = useState<LargePicture>(() => pictures.small(id));
  useEffect(() => {
    let shown: LargePicture | undefined;
    let gone = false;
    void pictures.large(id).then((found) => {
      if (gone) return found.release?.();
      setPicture((shown = found));
    });
    return () => {
      gone = true;
      shown?.release?.();
    };
  }, [id, pictures]);
  return picture;
}
