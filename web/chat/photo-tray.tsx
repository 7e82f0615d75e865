import { useEffect, useRef } from 'react';
import { CloseIcon } from './icons.js';
import { Thumbnail } from './message-view.js';
import { type Photograph, photographsInWords, sizeInWords } from './photographs.js';

/** The photographs that wait to be sent, each with a way to take it out. */
export function PhotoTray({
  photographs,
  onRemove,
  onClear,
}: {
  photographs: readonly Photograph[];
  onRemove: (id: string) => void;
  onClear: () => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  const bytes = photographs.reduce((sum, { file }) => sum + file.size, 0);
  useEffect(() => {
    list.current?.scrollTo({ left: list.current.scrollWidth });
  }, [photographs.length]);
  return (
    <section className="tray" aria-label="Photographs to send">
      <p className="tray-head">
        <span role="status">
          {photographsInWords(photographs.length)}, {sizeInWords(bytes)}
        </span>
        <button type="button" className="quiet-button" onClick={onClear}>
          Remove all
        </button>
      </p>
      <ul ref={list} tabIndex={-1}>
        {photographs.map(({ id, file, thumbnail }, index) => (
          <li key={id} title={file.name}>
            <Thumbnail url={thumbnail} />
            {thumbnail === undefined && <span className="file-name">{file.name}</span>}
            <button
              type="button"
              aria-label={`Remove photograph ${index + 1}, ${file.name}`}
              onClick={() => onRemove(id)}
            >
              <CloseIcon />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
