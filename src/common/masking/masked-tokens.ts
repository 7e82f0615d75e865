import type { SecretMask } from './secret-mask.js';

/**
 * Masks a growing text, including secrets that arrive in several pieces: an end that may be the beginning of a secret is
 * held back until that is known.
 */
export class MaskedTokens {
  private held = '';
  private nodeId = '';

  constructor(
    private readonly mask: SecretMask,
    private readonly emit: (nodeId: string, text: string) => void,
  ) {}

  push(nodeId: string, text: string): void {
    if (nodeId !== this.nodeId) this.flush();
    this.nodeId = nodeId;
    const grown = this.held + text;
    const open = this.mask.openEnd(grown);
    this.held = grown.slice(open);
    this.send(grown.slice(0, open));
  }

  /** Ends the text of a node, by default the current one, and emits its held end. */
  flush(nodeId = this.nodeId): void {
    if (nodeId !== this.nodeId) return;
    const rest = this.held;
    this.held = '';
    this.send(rest);
  }

  private send(text: string): void {
    if (text !== '') this.emit(this.nodeId, this.mask.text(text));
  }
}
