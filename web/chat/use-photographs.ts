import { useCallback, useEffect, useRef, useState } from 'react';
import { addPhotographs, type Photograph, thumbnailOf } from './photographs.js';

/** The photographs beside the message that is being written. Their thumbnails are made one after another. */
export function usePhotographs() {
  const [photographs, setPhotographs] = useState<readonly Photograph[]>([]);
  const [complaint, setComplaint] = useState('');
  const tried = useRef(new Set<string>());
  const waiting = useRef(photographs);

  const add = useCallback(
    (files: readonly File[]) => {
      const added = addPhotographs(photographs, files);
      setPhotographs(added.photographs);
      setComplaint(added.complaint ?? '');
    },
    [photographs],
  );

  const drop = useCallback((gone: readonly Photograph[]) => {
    for (const { thumbnail } of gone) if (thumbnail !== undefined) URL.revokeObjectURL(thumbnail);
  }, []);

  const remove = useCallback(
    (id: string) => {
      drop(photographs.filter((photograph) => photograph.id === id));
      setPhotographs(photographs.filter((photograph) => photograph.id !== id));
      setComplaint('');
    },
    [photographs, drop],
  );

  /** Gives them away to the message that was sent, with their thumbnails. */
  const take = useCallback(() => {
    setPhotographs([]);
    setComplaint('');
    return photographs;
  }, [photographs]);

  const clear = useCallback(() => drop(take()), [drop, take]);

  useEffect(() => {
    waiting.current = photographs;
    const next = photographs.find(({ id }) => !tried.current.has(id));
    if (!next) return;
    tried.current.add(next.id);
    void thumbnailOf(next.file).then((thumbnail) => {
      if (thumbnail === undefined) return setPhotographs((all) => [...all]);
      if (!waiting.current.some(({ id }) => id === next.id)) return URL.revokeObjectURL(thumbnail);
      return setPhotographs((all) => all.map((one) => (one.id === next.id ? { ...one, thumbnail } : one)));
    });
  }, [photographs]);

  return { photographs, complaint, add, remove, clear, take };
}
