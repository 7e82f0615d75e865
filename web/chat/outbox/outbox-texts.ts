/** The words of waiting messages, which load with their view. */
export const outboxTexts = {
  waitingMessage: 'Your message, not sent yet',
  waitsForAnswer: 'Waiting for the message before it',
  waitsForPerson: 'The message before it was not answered.',
  uploading: (there: number, photographs: string): string => `Uploading: ${there} of ${photographs}`,
  waitsInMemory: 'It is not saved on this device. Keep this page open until it is sent.',
  editWaiting: 'Edit',
  removeWaiting: 'Remove',
  sendWaiting: 'Send now',
};
