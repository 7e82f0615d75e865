import { type ComponentProps, useSyncExternalStore } from 'react';
import { pause } from '../common/pause.js';
import { retryWait } from './retry-wait.js';

type Views = Awaited<ReturnType<typeof views>>;

let late: Views | undefined;
const listeners = new Set<() => void>();

/** Loads the views that the first screen does not need, however often it takes. They are shown as soon as they are here. */
export async function loadViews(): Promise<void> {
  for (let tries = 0; !late; tries++) {
    late = await views().catch(() => undefined);
    if (!late) await pause(retryWait(tries)!);
  }
  for (const listener of listeners) listener();
}

export function WaitingMessages(props: ComponentProps<Views['WaitingMessages']>) {
  const loaded = useViews();
  return loaded && <loaded.WaitingMessages {...props} />;
}

export function DecisionForm(props: ComponentProps<Views['DecisionForm']>) {
  const loaded = useViews();
  return loaded && <loaded.DecisionForm {...props} />;
}

const useViews = () => useSyncExternalStore(subscribe, () => late);

async function views() {
  const [waiting, decision] = await Promise.all([
    import('./outbox/waiting-messages.js'),
    import('./decision-form.js'),
  ]);
  return { ...waiting, ...decision };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
