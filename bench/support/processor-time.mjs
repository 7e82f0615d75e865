import { cpuMs, interleaved } from './measure.mjs';

/**
 * Returns milliseconds of the service's CPU time per call of each way: an array of rounds per way, interleaved. A way
 * makes one call; `connections` callers make `calls` of them per round.
 */
export function processorTimes(service, ways, { calls, rounds, connections }) {
  const round = (way) => async () => {
    const before = cpuMs(service.child.pid);
    let begun = 0;
    const caller = async () => {
      while (begun++ < calls) await way();
    };
    await Promise.all(Array.from({ length: connections }, caller));
    return (cpuMs(service.child.pid) - before) / calls;
  };
  return interleaved(rounds, ...ways.map(round));
}
