import { texts } from '../texts.js';
import { type ChatState, withAnswer } from './chat-state.js';
import type { TurnListener } from './turn.js';

/** The interval at which a growing answer is redrawn. */
const DRAW_MS = 40;

/** Shows the progress of a turn in the chat. */
export class TurnView implements TurnListener {
  private answer: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly state: () => ChatState,
    private readonly show: (state: ChatState) => void,
    readonly seen: (eventId: string) => void,
  ) {}

  arrived(): void {
    const state = this.state();
    if (state.phase === 'sending') this.show({ ...state, phase: 'waiting' });
  }

  text(text: string): void {
    this.answer = text;
    this.timer ??= setTimeout(() => this.draw(), DRAW_MS);
  }

  reconnecting(yes: boolean): void {
    this.end();
    const state = this.state();
    if (yes === (state.phase === 'reconnecting')) return;
    const announcement = yes ? texts.announceReconnecting : '';
    this.show({ ...state, phase: yes ? 'reconnecting' : 'waiting', announcement });
  }

  end(): void {
    if (this.answer !== undefined) this.draw();
  }

  private draw(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.answer !== undefined) this.show(withAnswer(this.state(), this.answer));
    this.answer = undefined;
  }
}
