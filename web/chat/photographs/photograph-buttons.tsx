import { type ChangeEvent, useRef } from 'react';
import { CameraIcon, ImagesIcon } from '../../common/icons.js';
import { texts } from '../texts.js';

/** Adds photographs from the device or, on a phone, from its camera. */
export function PhotographButtons({ onAdd }: { onAdd: (files: readonly File[]) => void }) {
  const gallery = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    onAdd([...(target.files ?? [])]);
    target.value = '';
  };
  return (
    <>
      <input
        ref={gallery}
        type="file"
        aria-label={texts.picker}
        accept="image/*,.heic,.heif"
        multiple
        hidden
        onChange={onChange}
      />
      <input
        ref={camera}
        type="file"
        aria-label={texts.camera}
        accept="image/*"
        capture="environment"
        hidden
        onChange={onChange}
      />
      <button
        type="button"
        className="round"
        aria-label={texts.addPhotographs}
        title={texts.addPhotographs}
        onClick={() => gallery.current?.click()}
      >
        <ImagesIcon />
      </button>
      <button
        type="button"
        className="round camera"
        aria-label={texts.takePhotograph}
        title={texts.takePhotograph}
        onClick={() => camera.current?.click()}
      >
        <CameraIcon />
      </button>
    </>
  );
}
