/** Pixels after which a moving mouse drags, and a finger that has not rested yet scrolls. */
const SLOP = 8;
const REST_MS = 380;
/** Distance from the edge at which the page scrolls, and its fastest speed in pixels per frame. */
const EDGE = 72;
const FASTEST = 18;

interface DragParts {
  /** Returns the element that follows the pointer. */
  ghost: () => HTMLElement | null;
  onLift: () => void;
  /** Called after a drop or a cancelled drag. */
  onEnd: () => void;
  onDrop: (area: string) => void;
  onHold: () => void;
}

/** One press of a pointer on a draggable element, until its release. */
export class Drag {
  private readonly from: { x: number; y: number };
  private at: { x: number; y: number };
  private state: 'pressed' | 'lifted' | 'over' = 'pressed';
  private moved = false;
  private target: HTMLElement | undefined;
  private readonly rest: ReturnType<typeof setTimeout> | undefined;
  private frame = 0;
  private readonly ended = new AbortController();

  constructor(
    private readonly press: PointerEvent,
    private readonly parts: DragParts,
  ) {
    this.from = this.at = { x: press.clientX, y: press.clientY };
    const { signal } = this.ended;
    const isTouch = press.pointerType === 'touch';
    addEventListener('pointermove', this.move, { signal });
    addEventListener('pointerup', this.release, { signal });
    addEventListener('pointercancel', this.cancel, { signal });
    addEventListener('blur', this.cancel, { signal });
    addEventListener('keydown', this.key, { signal, capture: true });
    if (!isTouch) return;
    // From the first touch on, since the browser may start scrolling any time later.
    addEventListener('touchmove', this.hold, { signal, passive: false });
    addEventListener('contextmenu', prevent, { signal });
    this.rest = setTimeout(() => this.lift(), REST_MS);
  }

  readonly cancel = (): void => this.end();

  private readonly move = (event: PointerEvent): void => {
    if (event.pointerId !== this.press.pointerId) return;
    this.at = { x: event.clientX, y: event.clientY };
    const far = Math.hypot(this.at.x - this.from.x, this.at.y - this.from.y) > SLOP;
    this.moved ||= far;
    if (this.state === 'pressed' && far) {
      if (this.press.pointerType === 'touch') return this.end();
      this.lift();
    }
    if (this.state === 'lifted') this.frame ||= requestAnimationFrame(this.follow);
  };

  private readonly release = (event: PointerEvent): void => {
    if (event.pointerId !== this.press.pointerId) return;
    if (this.state !== 'lifted') return this.end();
    this.at = { x: event.clientX, y: event.clientY };
    this.point();
    const area = this.target?.dataset['area'];
    swallowClick();
    const held = this.press.pointerType === 'touch' && !this.moved;
    this.end();
    if (held) this.parts.onHold();
    else if (area !== undefined) this.parts.onDrop(area);
  };

  private readonly key = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || this.state !== 'lifted') return;
    event.stopPropagation();
    addEventListener('pointerup', swallowClick, { capture: true, once: true });
    this.end();
  };

  private readonly hold = (event: TouchEvent): void => {
    if (this.state === 'lifted') event.preventDefault();
  };

  private lift(): void {
    this.state = 'lifted';
    document.documentElement.classList.add('dragging');
    this.parts.onLift();
    this.frame ||= requestAnimationFrame(this.follow);
  }

  private readonly follow = (): void => {
    this.frame = 0;
    if (this.state !== 'lifted') return;
    const ghost = this.parts.ghost();
    if (ghost) ghost.style.transform = `translate(${this.at.x + 12}px, ${this.at.y + 12}px)`;
    this.point();
    if (this.scroll()) this.frame = requestAnimationFrame(this.follow);
  };

  private point(): void {
    const under = document.elementFromPoint(this.at.x, this.at.y)?.closest<HTMLElement>('[data-area]');
    if (under === this.target || (!under && !this.target)) return;
    this.target?.removeAttribute('data-over');
    this.target = under ?? undefined;
    this.target?.setAttribute('data-over', 'true');
  }

  private scroll(): boolean {
    const scroller = document.getElementById('content');
    if (!scroller || !this.moved) return false;
    const { top, bottom } = scroller.getBoundingClientRect();
    const share = (distance: number) => Math.max(0, Math.min(1, 1 - distance / EDGE));
    const speed = share(bottom - this.at.y) - share(this.at.y - top);
    const before = scroller.scrollTop;
    scroller.scrollTop += Math.round(speed * FASTEST);
    return scroller.scrollTop !== before;
  }

  private end(): void {
    if (this.state === 'over') return;
    const wasLifted = this.state === 'lifted';
    this.state = 'over';
    clearTimeout(this.rest);
    cancelAnimationFrame(this.frame);
    this.target?.removeAttribute('data-over');
    this.ended.abort();
    if (!wasLifted) return;
    document.documentElement.classList.remove('dragging');
    this.parts.onEnd();
  }
}

/** Suppresses the click after a drag, which would open the photograph. */
function swallowClick(): void {
  addEventListener('click', swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', swallow, { capture: true }), 0);
}

const prevent = (event: Event): void => event.preventDefault();

function swallow(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
