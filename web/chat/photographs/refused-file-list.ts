import type { BrowserStorage } from '../../common/browser-storage.js';
import type { Chosen, RefusedFile } from './photograph.js';

/** The chosen files that cannot be sent, until the person dismisses the list. It survives a reload. */
export class RefusedFileList {
  private files: readonly RefusedFile[];
  private readonly listeners = new Set<() => void>();

  constructor(private readonly storage: BrowserStorage) {
    this.files = storage.get<RefusedFile[]>('refused') ?? [];
  }

  readonly snapshot = (): readonly RefusedFile[] => this.files;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Adds the refused files of a choice, and removes those that were chosen again in a form that can be sent. */
  add(refused: readonly RefusedFile[], chosen: readonly Chosen[]): void {
    const names = new Set(chosen.map(({ photograph }) => photograph.name));
    this.change([...this.files.filter(({ name }) => !names.has(name)), ...refused]);
  }

  readonly dismiss = (): void => this.change([]);

  private change(files: readonly RefusedFile[]): void {
    this.files = files;
    this.storage.set('refused', files.length > 0 ? files : undefined);
    for (const listener of this.listeners) listener();
  }
}
