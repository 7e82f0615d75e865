import type { ModelEvent, ModelSettings } from '../../src/flows/models/language-model.js';
import { modelOf } from '../../src/flows/models/model-providers.js';

/** Waits of a model client that retries at once. */
export const noPatience = { firstWaitMs: 1, longestMs: 60_000 };

/** Returns all events of a model's answer to a greeting. */
export const collectAnswer = async (settings: ModelSettings, signal = new AbortController().signal) => {
  const events: ModelEvent[] = [];
  const model = modelOf(settings, noPatience);
  const messages = [
    { role: 'system' as const, content: 'Be brief.' },
    { role: 'user' as const, content: 'Hello' },
  ];
  await model.ask({ messages }, signal, (event) => void events.push(event));
  return events;
};

export const textIn = (events: ModelEvent[]) =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');
