import type { BrowserStorage } from '../../common/browser-storage.js';

/** The unsent text of the composer. A tab restores its own text after a reload; a new tab starts with the latest one. */
export class Draft {
  private written: string | undefined;

  constructor(
    private readonly storage: BrowserStorage,
    private readonly tab: BrowserStorage,
  ) {}

  read(): string {
    this.written = this.tab.get<string>('written') ?? this.storage.get<string>('draft') ?? '';
    return this.written;
  }

  get isEmpty(): boolean {
    return (this.tab.get<string>('written') ?? this.storage.get<string>('draft') ?? '') === '';
  }

  write(text: string): void {
    // Sending this text must not clear the draft that another tab has written since.
    if (text !== '' || this.storage.get('draft') === this.written)
      this.storage.set('draft', text === '' ? undefined : text);
    this.tab.set('written', text);
    this.written = text;
  }
}
