/**
 * Every word that the chat page says by itself, in one place: another language is another object of this shape. Those of
 * the sheets, which are loaded later, come with them (`inspectionTexts`, `correctionTexts`). What the flow says, and what
 * its owner wrote, is not here. Sentences with values are functions, since word order differs.
 */
export const texts = {
  photographs: (count: number): string => (count === 1 ? '1 photograph' : `${count} photographs`),
  list: (names: readonly string[], more: number): string =>
    more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', '),

  // Beginning.
  writeOrAdd: 'Write a message or add photographs to begin.',
  write: 'Write a message to begin.',
  start: 'Start',
  newChat: 'New chat',
  newChatTitle: 'Begin a new chat?',
  newChatText: 'This one is closed and leaves this device.',
  newChatLoses: (photographs: string): string => `${photographs} not sent yet will be deleted.`,
  keepChat: 'Keep this chat',
  beginChat: 'Begin a new chat',
  newChatBegun: 'New chat.',
  keyLabel: 'Key',
  keyText: 'This chat opens with a key. Whoever sent you the link can give it to you.',
  keyNote: 'The key stays in this tab and is forgotten when you close it.',
  keyWrong: 'This key does not open the chat. Check it for missing characters.',
  keyUnreachable: 'The service cannot be reached. Check your connection and try again.',
  keyChecking: 'Checking …',
  keyOpen: 'Open the chat',

  // Writing a message.
  message: 'Message',
  placeholder: 'Write a message',
  send: 'Send',
  stop: 'Stop',
  hold: 'Do not send yet',
  waits: 'Your message goes as soon as its photographs have arrived.',
  addPhotographs: 'Add photographs',
  takePhotograph: 'Take a photograph',
  picker: 'Photographs',
  camera: 'Camera',
  drop: 'Drop photographs to add them',
  dropNone: 'This chat takes no photographs',

  // Files that may not be sent.
  leftOut: (names: string, reason: string): string => `Left out: ${names} (${reason}).`,
  onlyPictures: 'only pictures can be sent',
  emptyPicture: 'the file is empty',
  tooLarge: (size: string): string => `a photograph may have at most ${size}`,
  tooMany: (most: number): string => `one message takes at most ${most} photographs`,
  takesNone: 'This chat takes no photographs.',

  // Photographs beside the message.
  tray: 'Photographs to send',
  removeAll: 'Remove all',
  ready: (photographs: string, size: string): string => `${photographs} ready, ${size}`,
  someReady: (ready: number, photographs: string, size: string): string =>
    `${ready} of ${photographs} ready, ${size}`,
  numbered: (number: number, name: string): string => `photograph ${number}, ${name}`,
  sending: (photograph: string): string => `Sending ${photograph}`,
  sendAgain: (photograph: string): string => `Send ${photograph} again`,
  enlarge: (photograph: string): string => `Enlarge ${photograph}`,
  remove: (photograph: string): string => `Remove ${photograph}`,
  tileReady: 'ready',
  tileKept: 'kept on this device',
  tileNotSent: (why: string): string => `not sent: ${why}`,
  notSent: (photographs: string, reasons: string): string => `${photographs} not sent. ${reasons}`,
  ofFile: (name: string, sentence: string): string => `${name}: ${sentence}`,
  removeToSend: 'Remove it to send your message.',
  tryAgain: 'Try again',
  damaged: (names: string, count: number): string =>
    count === 1
      ? `${names} seems to be damaged: it may not be recorded. Take it again if you can.`
      : `${names} seem to be damaged: they may not be recorded. Take them again if you can.`,
  close: 'Close',
  noPicture: 'This browser cannot show pictures of this kind. The service can.',

  // Keeping them on the device.
  allKept: (photographs: string): string => `${photographs} kept on this device until sent`,
  notRestored: (names: string, count: number): string =>
    `Could not be restored: ${names}. Add ${count === 1 ? 'it' : 'them'} again.`,
  givenBack:
    'The photographs of an earlier message may not have been recorded. They are here again: none is recorded twice.',
  keepsNothing: {
    forbidden:
      'This browser keeps no photographs here (a private window?). Leave the page open until they are sent.',
    full: 'This device has no room left to keep photographs. Leave the page open until they are sent.',
  },
  onlineOnly: 'Without https this page cannot be opened offline.',
  offline: 'You are offline. Photographs are kept on this device and sent later.',
  neverOpened: 'There is no connection, and this chat was not opened on this device before.',

  // Their way to the service.
  connectionLost: 'The connection was lost.',
  unreadable: 'It cannot be read any more. Add it again.',

  // Messages and their answers.
  you: 'You',
  answer: 'Answer',
  toLatest: 'To the latest message',
  stoppedNote: 'You stopped this answer.',
  reconnecting: 'Connection lost. Reconnecting …',
  announceReconnecting: 'Connection lost. Reconnecting.',
  announceSending: 'Sending.',
  stopped: 'Stopped.',
  link: 'a link',
  restStands: '… The rest stands in the chat.',
  decision: 'The chat waits for your decision',
  decisionWords: 'Something to say with it (optional)',
  proceed: 'Proceed',
  reject: 'Reject',

  // The inspection, but for the words of its sheets.
  checklist: 'Checklist',
  details: 'Inspection details',
  inspectionOffline: 'The service cannot be reached.',

  // Correcting a photograph that was recorded.
  showAll: (photographs: string): string => `Show all ${photographs}`,
  correct: (photograph: string): string => `Correct ${photograph}`,
  correctTitle: 'Correct this photograph',
  withdrawn: 'Withdrawn',
  moved: (area: string): string => `Moved to ${area}.`,
  turned: 'Turned.',
  withdrew: 'Withdrawn.',
  broughtBack: 'Brought back.',
  day: (date: Date): string =>
    date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' }),
  claimed: (day: string | undefined): string =>
    `It is in ${day === undefined ? 'a report' : `the report of ${day}`} already. Only a new edition of that report can change it.`,
  correctionOffline: 'You are offline: nothing was changed. Try again when you are back online.',
  correctionLost: 'The connection was lost before the correction was confirmed.',
  tooManyCorrections: 'Those were too many corrections in a short time.',

  // Trouble.
  reference: (run: string, chat: string): string => `If you ask for help, quote ${run}, chat ${chat}.`,
  chatReference: (chat: string): string => `If you ask for help, quote chat ${chat}.`,
  answerUnreadable: 'The answer could not be read. Try again.',
  notSentStopped: 'Not sent: you stopped it.',
  cutOff:
    'The answer was cut off, and the service does not have the rest: it was restarted, or you were away for too long.',
  couldNotGoOn: 'The service could not finish this answer just now.',
  goesOn: 'Try again in a moment: nothing is done twice.',
  tryLater: 'Try again later.',
  sendAnew: 'Send again',
  lostAnswer: 'The connection was lost before the answer was complete.',
  noConnection: 'There is no connection.',
  sentWhenBack: 'Your message is sent again once you are back online.',
  waitedTooLong: 'The photographs have waited too long to be sent.',
  sendOnceMore: 'They are being sent anew: write your message again.',
  inSeconds: (seconds: number): string => `You can go on in ${seconds} seconds.`,
  inMinutes: (minutes: number): string => `You can go on in ${minutes} minutes.`,

  /** By the service's code; its own sentences are for programs that call it. What happened, and what to do about it. */
  refusals: {
    invalid_api_key: ['This chat needs its key.', 'Enter it to go on.'],
    insufficient_credit: ['This chat has no credit left.', 'Ask its owner to top it up, then try again.'],
    domain_not_allowed: ['This chat may not be used from this site.', 'Ask its owner.'],
    share_link_not_public: ['The owner has closed this chat to visitors.', 'Ask them to publish it again.'],
    flow_not_found: ['This chat does not exist any more.', 'Ask its owner for a new link.'],
    session_busy: ['The answer to an earlier message is still under way.', 'Try again in a moment.'],
    idempotency_key_in_use: ['Your message has arrived and is being worked on.', 'Try again in a moment.'],
    body_too_large: ['That was too much at once.', 'Send fewer or smaller photographs.'],
    unsupported_media_type: ['This chat does not take such files.'],
    question_too_long: ['That message is too long.', 'Shorten it and send it again.'],
    rate_limited: ['That was too many messages in a short time.'],
    address_blocked: ['Your network has to wait: too many chats that do not exist were asked for.'],
    flow_failed: ['Something went wrong while your message was being answered.', 'Try again.'],
    internal_error: ['Something went wrong on the server.', 'Try again.'],
    shutting_down: ['The service is restarting.', 'Try again in a moment.'],
    overloaded: ['The service is very busy.', 'Try again in a moment.'],
  } as Readonly<Record<string, readonly [sentence: string, advice?: string]>>,
};
