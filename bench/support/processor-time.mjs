import { cpuMs, interleaved } from './measure.mjs';

/**
 * Milliseconds of the service's processor time a call of each way: an array of its rounds a way, rounds of all ways by
 * turns. A way makes one call; `connections` callers make `calls` of them a round.
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
