import type { GraphNode } from './flow-graph.js';

/** Characters of an answer; a longer one fails its run instead of filling the memory. */
const LONGEST_ANSWER = 16 * 1024 * 1024;

interface Slot {
  nodeId: string;
  text: string;
  /** The end of `text` that was not emitted, stored separately because slicing a long text would copy it. */
  held: string;
  /** Length of `text` when the leaf's current run began. */
  runFrom: number;
  closed: boolean;
}

/**
 * The growing answer: one slot for each leaf, in definition order. The first open slot streams; later ones are buffered as
 * one text each until it closes. The emitted pieces joined are exactly the final text.
 */
export class AnswerText {
  private readonly slots: Slot[];
  private readonly byNode = new Map<string, Slot>();
  private front = 0;
  private separate = false;
  private length = 0;

  constructor(
    leaves: readonly GraphNode[],
    private readonly emit: (nodeId: string, text: string) => void,
  ) {
    this.slots = leaves.map(({ id }) => newSlot(id));
    for (const slot of this.slots) this.byNode.set(slot.nodeId, slot);
  }

  /** Begins a run of a leaf. The text of a second run (in a loop) begins on a new line. */
  begin(nodeId: string): void {
    const slot = this.byNode.get(nodeId);
    if (!slot) return;
    slot.runFrom = slot.text.length;
  }

  token(nodeId: string, text: string): void {
    const slot = this.byNode.get(nodeId);
    if (!slot || slot.closed || text === '') return;
    this.length += text.length;
    if (this.length > LONGEST_ANSWER)
      throw new Error('The answer is too long. Shorten the text of the node.');
    const newLine = slot.runFrom > 0 && slot.text.length === slot.runFrom;
    const added = newLine ? `\n${text}` : text;
    slot.text += added;
    slot.held += added;
    if (slot === this.slots[this.front]) this.send(slot);
  }

  /** Ends a run of a leaf with this text, which is emitted unless the leaf streamed it. */
  end(nodeId: string, text: string): void {
    const slot = this.byNode.get(nodeId);
    if (slot && slot.text.length === slot.runFrom) this.token(nodeId, text);
  }

  /** Closes a leaf, so that the next one may stream. */
  close(nodeId: string): void {
    const slot = this.byNode.get(nodeId);
    if (!slot) return;
    slot.closed = true;
    for (let next = this.slots[this.front]; next; next = this.slots[this.front]) {
      this.send(next);
      if (!next.closed) break;
      this.front++;
    }
  }

  /** Appends a text after all leaves, for a node that is not a leaf (a question to a human, a flow that ended early). */
  append(nodeId: string, text: string): void {
    this.closeAll();
    const slot = newSlot(nodeId);
    this.slots.push(slot);
    this.byNode.set(nodeId, slot);
    this.token(nodeId, text);
  }

  /** Closes all leaves and returns the whole text. */
  finish(): string {
    this.closeAll();
    return this.slots
      .filter(({ text }) => text !== '')
      .map(({ text }) => text)
      .join('\n');
  }

  private closeAll(): void {
    for (const { nodeId } of this.slots) this.close(nodeId);
  }

  private send(slot: Slot): void {
    if (slot.held === '') return;
    const piece = slot.held;
    const first = piece.length === slot.text.length;
    slot.held = '';
    this.emit(slot.nodeId, first && this.separate ? `\n${piece}` : piece);
    this.separate = true;
  }
}

const newSlot = (nodeId: string): Slot => ({
  nodeId,
  text: '',
  held: '',
  runFrom: 0,
  closed: false,
});
