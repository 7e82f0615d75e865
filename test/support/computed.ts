/** How many milliseconds the tests' own program computes at `work`, whatever else the machine does meanwhile. */
export async function computedMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage().user;
  await work();
  return (process.cpuUsage().user - before) / 1_000;
}
