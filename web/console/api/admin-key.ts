import { BrowserStorage } from '../../common/browser-storage.js';

export interface AdminKeyState {
  key: string | undefined;
  /** Calls wait for a key. */
  isRequested: boolean;
  /** The stored key was refused. */
  refused: boolean;
}

/** Thrown when the person closes the dialog without a key. */
export class NoAdminKey extends Error {
  override readonly name = 'NoAdminKey';
}

const NAME = 'admin-key';
const PREFIX = 'console:';

interface Waiting {
  resolve: (key: string) => void;
  reject: (reason: Error) => void;
}

/** Stores the admin key for the tab or, on request, for the device. Calls wait for it while the dialog asks for it. */
export class AdminKey {
  private state: AdminKeyState;
  private waiting: Waiting[] = [];
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly tab: BrowserStorage,
    private readonly device: BrowserStorage,
  ) {
    this.state = { key: this.stored(), isRequested: false, refused: false };
  }

  readonly snapshot = (): AdminKeyState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Resolves with the key once there is one. Rejects with `NoAdminKey` when the person declines. */
  wanted(): Promise<string> {
    if (this.state.key !== undefined) return Promise.resolve(this.state.key);
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      if (!this.state.isRequested) this.set({ ...this.state, isRequested: true });
    });
  }

  give(key: string, keep: 'tab' | 'device'): void {
    this.drop();
    (keep === 'device' ? this.device : this.tab).set(NAME, key);
    this.use(key);
  }

  /** Drops a key that the service refused, unless it was replaced in the meantime, here or by another tab. */
  refuse(key: string): void {
    if (this.state.key !== key) return;
    for (const place of [this.tab, this.device]) if (place.get(NAME) === key) place.set(NAME, undefined);
    const replaced = this.stored();
    if (replaced !== undefined) this.use(replaced);
    else this.set({ ...this.state, key: undefined, refused: true });
  }

  /** Takes over what another tab has done with the key of the device, unless this tab has one of its own. */
  followDevice(): void {
    const key = this.stored();
    if (key === this.state.key) return;
    if (key !== undefined) this.use(key);
    else this.set({ ...this.state, key: undefined });
  }

  /** Fails the calls that wait for a key. */
  decline(): void {
    const waiting = this.take();
    this.set({ ...this.state, isRequested: false });
    for (const { reject } of waiting) reject(new NoAdminKey('The admin key was not given.'));
  }

  forget(): void {
    this.drop();
    this.set({ key: undefined, isRequested: false, refused: false });
  }

  private stored(): string | undefined {
    const stored = this.tab.get<unknown>(NAME) ?? this.device.get<unknown>(NAME);
    return typeof stored === 'string' ? stored : undefined;
  }

  private use(key: string): void {
    const waiting = this.take();
    this.set({ key, isRequested: false, refused: false });
    for (const { resolve } of waiting) resolve(key);
  }

  private drop(): void {
    this.tab.set(NAME, undefined);
    this.device.set(NAME, undefined);
  }

  private take(): Waiting[] {
    const { waiting } = this;
    this.waiting = [];
    return waiting;
  }

  private set(state: AdminKeyState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}

export const adminKey = new AdminKey(
  new BrowserStorage(() => sessionStorage, PREFIX),
  new BrowserStorage(() => localStorage, PREFIX),
);
globalThis.addEventListener?.('storage', ({ key }: StorageEvent) => {
  if (key === null || key === PREFIX + NAME) adminKey.followDevice();
});
