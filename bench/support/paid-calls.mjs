/** Callers that each have a flow, a chat and often an account of their own, behind a slow disk. */
import { replyFlow } from '../../prove/support/service.mjs';
import { median, timedPost } from './measure.mjs';

/** A flow that answers at once, paid from an account with ample credit. */
export async function paidFlow(service, id, account) {
  await service.createFlow(replyFlow(id, { account }));
  const { status, text } = await service.admin('POST', `/api/v1/credit/${account}/top-ups`, {
    amount: 1_000_000,
    reference: id,
  });
  if (status !== 200) throw new Error(`top-up of ${account}: ${status} ${text}`);
}

/**
 * Returns calls per second, the median time of one and the commits of one, for callers that each repeat their call when
 * it is answered.
 */
export const callersOf =
  ({ seconds, commitMs }) =>
  async (services, { flows, disk }) => {
    const times = [];
    const [startedAt, heldBefore] = [performance.now(), disk.held];
    const caller = async (flow, index) => {
      const url = `${services[index % services.length].url}/api/v1/prediction/${flow}`;
      while (performance.now() - startedAt < seconds * 1000)
        times.push(await timedPost(url, { question: 'Hello', chatId: flow }));
    };
    await Promise.all(flows.map(caller));
    const took = (performance.now() - startedAt) / 1000;
    return {
      perSecond: times.length / took,
      commitsLong: median(times) / commitMs,
      commits: (disk.held - heldBefore) / times.length,
    };
  };
