/**
 * How many milliseconds the tests' own program computes at `work`, whatever else the machine does meanwhile: the least of
 * three times, or the first below `enough`. A busy machine may slow one of them; what grows too fast slows each.
 */
export async function computedMs(work: () => unknown, enough = 0): Promise<number> {
  let least = Infinity;
  for (let times = 0; times < 3 && least >= enough; times++) {
    const before = process.cpuUsage().user;
    await work();
    least = Math.min(least, (process.cpuUsage().user - before) / 1_000);
  }
  return least;
}
