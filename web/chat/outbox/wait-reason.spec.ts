import type { Journey } from '../photographs/photograph.js';
import { reasonOf } from './wait-reason.js';

const photograph = (id: string, journey: Journey) => ({
  id,
  name: `${id}.jpg`,
  bytes: 1,
  journey,
  onDevice: true,
});
const message = { photographs: [{ id: 'a', name: 'a.jpg', bytes: 1 }] };
const there: Journey = { at: 'there', issued: 'x' };
const lost: Journey = { at: 'failed', sentence: 'Lost.', again: true, lost: true };
const refused: Journey = { at: 'failed', sentence: 'Too large.', again: false };
const usual = { message, index: 0, held: [photograph('a', there)], trouble: undefined, online: true };

describe('a message waits', () => {
  it.each([
    ['without a network', { online: false }, 'Waiting for the network'],
    [
      'when the last message did not get through',
      { trouble: { sentence: '', waits: 'network' as const } },
      'Waiting for the network',
    ],
    [
      'when the upload of its photograph broke off',
      { held: [photograph('a', lost)] },
      'Waiting for the network',
    ],
    ['for its photographs', { held: [photograph('a', { at: 'waiting' })] }, 'Uploading: 0 of 1 photo'],
    ['for an answer', {}, 'Waiting for the message before it'],
    [
      'for the person when its photograph was refused',
      { held: [photograph('a', refused)] },
      'a.jpg: Too large.',
    ],
    [
      'for the message before it while a busy service is asked again',
      { trouble: { sentence: 'Busy.', waits: 'service' as const } },
      'Waiting for the message before it',
    ],
    [
      'for the person after a refusal',
      { trouble: { sentence: 'No.' } },
      'The message before it was not answered.',
    ],
  ])('%s', (_, change, sentence) => {
    expect(reasonOf({ ...usual, ...change }).sentence).toBe(sentence);
  });

  it('for its own photographs, not those of other messages', () => {
    expect(reasonOf({ ...usual, held: [photograph('a', there), photograph('b', refused)] }).isStuck).toBe(
      false,
    );
  });
});
