import type { Kept } from '../../common/kept.js';

/** The unsent text of the composer. A tab restores its own text after a reload; a new tab starts with the latest one. */
export class Draft {
  private written: string | undefined;

  constructor(
    private readonly kept: Kept,
    private readonly tab: Kept,
  ) {}

  read(): string {
    this.written = this.tab.get<string>('written') ?? this.kept.get<string>('draft') ?? '';
    return this.written;
  }

  write(text: string): void {
    // Sending this text must not clear the draft that another tab has written since.
    if (text !== '' || this.kept.get('draft') === this.written)
      this.kept.set('draft', text === '' ? undefined : text);
    this.tab.set('written', text);
    this.written = text;
  }
}
