const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 10;

/** Waits until something holds, for as long as a busy machine needs. */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`it never came to hold: ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
