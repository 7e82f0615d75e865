import { pause } from '../../common/pause.js';

/** Failures after which a script counts as missing or broken, while the service itself is reachable. */
const MOST_REFUSALS = 3;
const LONGEST_PAUSE_MS = 5_000;

/** The dependencies of `LateScripts`. */
export interface Surroundings {
  /** Returns whether the service is reachable. */
  answers: () => Promise<boolean>;
  /** Reloads the style sheets that a script needs. Rejects when they do not arrive. */
  prepare: () => Promise<unknown>;
  pause: (ms: number) => Promise<void>;
}

/** Loads scripts on first use, and retries while the connection is lost. */
export class LateScripts {
  private waiting = 0;
  private readonly listeners = new Set<() => void>();
  private readonly modules = new WeakMap<() => Promise<unknown>, unknown>();

  constructor(private readonly around: Surroundings) {}

  /** Returns whether a script is being retried. */
  readonly snapshot = (): boolean => this.waiting > 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Retries until `load` succeeds. Rejects when the service is reachable but the script is not. */
  async arrived<Module>(load: () => Promise<Module>): Promise<Module> {
    const module = await load().catch(() => {
      this.count(1);
      return this.again(load).finally(() => this.count(-1));
    });
    this.modules.set(load, module);
    return module;
  }

  /** Loads a script that may be needed soon. A failure has no consequence. */
  expect(load: () => Promise<unknown>): void {
    load().then(
      (module) => this.modules.set(load, module),
      () => undefined,
    );
  }

  /** Returns what `load` has loaded; undefined until it has arrived. */
  known<Module>(load: () => Promise<Module>): Module | undefined {
    return this.modules.get(load) as Module | undefined;
  }

  private async again<Module>(load: () => Promise<Module>): Promise<Module> {
    let refusals = 0;
    for (let failures = 0; ; failures++) {
      await this.around.pause(Math.min(LONGEST_PAUSE_MS, 250 * 2 ** failures));
      if (!(await this.around.answers())) continue;
      try {
        await this.around.prepare();
        return await load();
      } catch (error) {
        if (++refusals === MOST_REFUSALS) throw error;
      }
    }
  }

  private count(by: number): void {
    this.waiting += by;
    for (const listener of this.listeners) listener();
  }
}

/** Reloads failed style sheets, which the browser does not retry when the script is loaded again. */
function missingStyles(): Promise<unknown> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  const there = new Set(links.filter(hasArrived).map(({ href }) => href));
  const missing = new Set(links.map(({ href }) => href).filter((href) => !there.has(href)));
  return Promise.all([...missing].map(styleOf));
}

/** Returns false for a failed style sheet, whose rules cannot be read. */
function hasArrived({ sheet }: HTMLLinkElement): boolean {
  try {
    return sheet !== null && sheet.cssRules.length > 0;
  } catch {
    return false;
  }
}

function styleOf(href: string): Promise<void> {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error(`The style ${href} did not arrive.`));
    };
    document.head.append(link);
  });
}

const answers = () =>
  fetch('/health/live', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

export const lateScripts = new LateScripts({ answers, prepare: missingStyles, pause });
