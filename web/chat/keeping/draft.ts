import type { Kept } from '../../common/kept.js';

/**
 * The words that are being written: a tab finds its own again, whatever is written and sent in others; a page that is opened
 * anew finds those that were written last.
 */
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
    // Sending these words leaves what another tab has written meanwhile.
    if (text !== '' || this.kept.get('draft') === this.written)
      this.kept.set('draft', text === '' ? undefined : text);
    this.tab.set('written', text);
    this.written = text;
  }
}
