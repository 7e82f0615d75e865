import { useEffect, useState } from 'react';
import { receiveDraggedFiles } from '../common/dragged-files.js';
import { pastedFiles } from '../common/pasted-files.js';

/** Passes dropped and pasted files to `add`, unwanted ones too. Returns whether files are being dragged over the page. */
export function useIncomingFiles(add: (files: readonly File[]) => void): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    receiveDraggedFiles({ onOver: setOver, onDrop: add }, signal);
    const paste = ({ clipboardData }: ClipboardEvent) => {
      const files = pastedFiles(clipboardData);
      if (files.length > 0) add(files);
    };
    document.addEventListener('paste', paste, { signal });
    return () => controller.abort();
  }, [add]);
  return over;
}
