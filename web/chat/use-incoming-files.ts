import { useEffect, useRef, useState } from 'react';

/**
 * Files that are dropped anywhere on the page, or pasted, go to `add`. Answers whether files are being dragged over the
 * page. A file that nobody wants must not open in the place of the chat: it goes to `add` all the same.
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
    // Entering a part of the page comes before leaving the one around it: only the count tells inside from outside.
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
      const files = [...(clipboardData?.files ?? [])];
      if (files.length > 0) add(files);
    });
    return () => controller.abort();
  }, [add]);
  return over;
}

const carriesFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;
