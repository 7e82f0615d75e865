import type { SecretMask } from './secret-mask.js';

/**
 * Pieces of a growing text without secrets, also those that come in several pieces: an end that may turn out to be one
 * is held back until it is known, and no other piece waits.
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

  /** Ends the text, of this node or of the one under way: the end that was held back is sent. */
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
