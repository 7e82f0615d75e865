/** The words of the list of chats, in the shape of `texts`. They load with it. */
export const chatsTexts = {
  note: 'Each inspection stays on this device until you delete it.',
  chatsNote: 'Each chat stays on this device until you delete it.',
  list: 'On this device',
  states: { unfinished: 'Unfinished', empty: 'Not started', reported: 'Report made' },
  open: 'open now',
  when: (at: number): string =>
    new Date(at).toLocaleString('en-GB', {
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
    }),
  delete: (name: string): string => `Delete ${name} from this device`,
  deleted: (name: string): string => `${name}: deleted from this device`,
  recordedStays: 'The service keeps what it recorded. You can undo this for a day.',
  messages: (count: number): string => (count === 1 ? '1 message' : `${count} messages`),
  waiting: (messages: string): string => `${messages} waiting`,
  unsentGoes: (things: readonly string[]): string => `${things.join(' and ')} not sent yet will be lost.`,
  undo: 'Undo',
  undoOf: (name: string): string => `Undo: keep ${name}`,
};
