/** Receives the files that are dragged over a page. */
interface FileTaker {
  /** Files are being dragged over the page. */
  onOver: (isOver: boolean) => void;
  onDrop: (files: readonly File[]) => void;
}

/**
 * Passes files dragged over the page to `taker`. Files that neither it nor a part of the page takes are refused, since the
 * browser would otherwise open them in place of the page.
 */
export function receiveDraggedFiles(taker?: FileTaker, signal?: AbortSignal): void {
  const on = (name: 'dragenter' | 'dragleave' | 'dragover' | 'drop', take: (event: DragEvent) => void) =>
    document.addEventListener(
      name,
      (event) => {
        if (event.dataTransfer?.types.includes('Files') && !event.defaultPrevented) take(event);
      },
      signal ? { signal } : {},
    );
  let inside = 0;
  const end = () => {
    inside = 0;
    taker?.onOver(false);
  };
  // `dragenter` on a child fires before `dragleave` on its parent, so they are counted.
  on('dragenter', () => {
    inside += 1;
    taker?.onOver(true);
  });
  on('dragleave', () => {
    inside -= 1;
    if (inside <= 0) end();
  });
  on('dragover', (event) => {
    event.preventDefault();
    event.dataTransfer!.dropEffect = taker ? 'copy' : 'none';
  });
  on('drop', (event) => {
    event.preventDefault();
    end();
    taker?.onDrop([...event.dataTransfer!.files]);
  });
}
