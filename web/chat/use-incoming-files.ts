import { useEffect, useRef, useState } from 'react';
import { pastedFiles } from '../common/pasted-files.js';

/**
 * Passes dropped and pasted files to `add`. Returns whether files are being dragged over the page. Unwanted files are passed
 * too, since the browser would otherwise open them in place of the chat.
 */
export function useIncomingFiles(add: (files: readonly File[]) => void): boolean {
  const [over, setOver] = useState(false);
  const inside = useRef(0);
  useEffect(() => {
    const controller = new AbortController();
    const on = <Name extends keyof DocumentEventMap>(
      name: Name,
      take: (event: DocumentEventMap[Name]) => void,
    ) => document.addEventListener(name, take, { signal: controller.signal });
    const end = () => {
      inside.current = 0;
      setOver(false);
    };
    // `dragenter` on a child fires before `dragleave` on its parent, so they are counted.
    on('dragenter', (event) => {
      if (!carriesFiles(event)) return;
      inside.current += 1;
      setOver(true);
    });
    on('dragleave', (event) => {
      if (!carriesFiles(event)) return;
      inside.current -= 1;
      if (inside.current <= 0) end();
    });
    on('dragover', (event) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      event.dataTransfer!.dropEffect = 'copy';
    });
    on('drop', (event) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      end();
      add([...event.dataTransfer!.files]);
    });
    on('paste', ({ clipboardData }) => {
      const files = pastedFiles(clipboardData);
      if (files.length > 0) add(files);
    });
    return () => controller.abort();
  }, [add]);
  return over;
}

const carriesFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;
