/**
 * Calls of one chat run in sequence: 50 concurrent ones each see the state of the one before, so their replies are a
 * permutation of 1..50; other chats never wait for them. On PostgreSQL three processes stand behind a proxy.
 */
import './support/short-sizes.mjs';
import { startDeployment } from './support/deployment.mjs';
import { databaseKinds, makePlace } from './support/place.mjs';
import { inParallel, Proof } from './support/report.mjs';

const CALLS = 50;
const proof = new Proof('prove:sessions');

/** Adds a stroke to the tally in the chat's state, and replies with it. */
const tallyFlow = {
  id: 'tally',
  name: 'tally',
  nodes: [
    { id: 'start', kind: 'start', config: { state: { tally: '' } } },
    { id: 'add', kind: 'set-state', config: { state: { tally: '{{$flow.state.tally}}|' } } },
    { id: 'reply', kind: 'reply', config: { message: '{{$flow.state.tally}}' } },
  ],
  edges: [
    { from: 'start', to: 'add' },
    { from: 'add', to: 'reply' },
  ],
};

async function run(kind) {
  const place = await makePlace(kind);
  const service = await startDeployment(place);
  await service.createFlow(tallyFlow);
  const ask = (index, chatId) => service.predict('tally', { question: `call ${index}`, chatId });
  const busy = inParallel(CALLS, CALLS, (index) => ask(index, 'one-chat'));
  const others = await inParallel(20, 20, (index) => ask(index, `other-${index}`));
  const answers = await busy;
  const tallies = answers.map((answer) => answer.json.text?.length).sort((a, b) => a - b);
  proof.expect(
    `${kind}: all answered 200`,
    answers.every((answer) => answer.status === 200),
    true,
  );
  proof.expect(
    `${kind}, ${service.size}: replies of one chat are a permutation of 1..${CALLS}`,
    tallies.join() === Array.from({ length: CALLS }, (_, index) => index + 1).join(),
    true,
  );
  proof.expect(
    `${kind}: other chats begin at 1`,
    others.every((answer) => answer.json.text === '|'),
    true,
  );
  const after = await ask(0, 'one-chat');
  proof.expect(`${kind}: the chat's state afterwards`, after.json.text?.length, CALLS + 1);
  await service.stop();
  await place.remove();
}

for (const kind of await databaseKinds()) await run(kind);
proof.end();
