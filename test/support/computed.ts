/**
 * Measures the CPU milliseconds of `work`, whatever else the machine does meanwhile: the least of three measurements,
 * or the first below `enough`. A busy machine may slow down one of them; super-linear growth slows down all.
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
