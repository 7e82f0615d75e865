/**
 * The page's own words. A translation is another object of this shape; sentences with values are functions because word
 * order differs between languages. The sheets load later and bring their own (`inspectionTexts`, `correctionTexts`).
 */
export const texts = {
  photographs: (count: number): string => (count === 1 ? '1 photo' : `${count} photos`),
  list: (names: readonly string[], more: number): string =>
    more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', '),

  // Start.
  writeOrAdd: 'Write a message or add photos to start.',
  write: 'Write a message to start.',
  start: 'Start',
  yes: 'yes',
  no: 'no',
  newChat: 'New chat',
  newInspection: 'New inspection',
  chats: 'Chats',
  inspections: 'Inspections',
  unfinished: 'Unfinished inspections',
  noAddress: 'No address yet',
  someUnsent: (photographs: string, unsent: number): string => `${photographs}, ${unsent} not sent yet`,
  chatShown: (name: string): string => `Opened: ${name}.`,
  newChatShown: 'New chat opened. The last one is in the list.',
  newInspectionShown: 'New inspection opened. The last one is in the list.',
  keyLabel: 'Key',
  keyText: 'This chat needs a key. Ask the person who sent you the link.',
  keyNote: 'The key is stored in this tab only, until you close it.',
  keyWrong: 'This key does not open the chat. Check that you have all of it.',
  keyUnreachable: 'The service cannot be reached. Check your connection and try again.',
  keyChecking: 'Checking…',
  keyOpen: 'Open the chat',

  // Writing a message.
  message: 'Message',
  placeholder: 'Write a message',
  send: 'Send',
  stop: 'Stop',

  // Messages that wait.
  waitsForNetwork: 'Waiting for the network',
  goesByItself: 'Your message waits and is sent again by itself.',

  addPhotographs: 'Add photos',
  takePhotograph: 'Take a photo',
  picker: 'Photos',
  camera: 'Camera',
  drop: 'Drop photos to add them',
  dropNone: 'This chat does not accept photos',

  // The area that a message goes to.
  target: 'To:',
  noTarget: 'choose an area',
  targetTitle: 'Where do these belong?',
  sendTo: (photographs: string): string => `Send ${photographs} to`,
  areaChoices: 'Areas',
  otherChoices: 'Other choices',
  moveThese: (count: number): string =>
    count === 1 ? 'Move this photo to…' : `Move these ${count} photos to…`,
  moveTitle: (photographs: string): string => `Move ${photographs}`,

  // Files that cannot be sent.
  refusedFiles: 'Files that were not added',
  leftOut: (name: string, sentence: string): string => `Not added: ${name}. ${sentence}`,
  onlyPictures: 'Only photos can be sent. Choose a photo, or convert the file to JPEG.',
  emptyPicture: 'The file is empty. Choose another one, or take the photo again.',
  tooLarge: (size: string): string =>
    `Photos can be up to ${size}. Take it again in a smaller size, or choose another one.`,
  tooMany: (most: number): string =>
    `A message can have up to ${most} photos. Send these first, then add it again.`,
  takesNone: 'This chat does not accept photos.',

  // Photographs attached to the message.
  tray: 'Photos to send',
  removeAll: 'Remove all',
  ready: (photographs: string, size: string): string => `${photographs} ready, ${size}`,
  someReady: (ready: number, photographs: string, size: string): string =>
    `${ready} of ${photographs} ready, ${size}`,
  numbered: (number: number, name: string): string => `photo ${number}, ${name}`,
  sending: (photograph: string): string => `Sending ${photograph}`,
  sendAgain: (photograph: string): string => `Send ${photograph} again`,
  enlarge: (photograph: string): string => `Enlarge ${photograph}`,
  remove: (photograph: string): string => `Remove ${photograph}`,
  tileReady: 'ready',
  tileSaved: 'saved on this device',
  notRecorded: 'Not recorded',
  refusedPhotographs: (names: string, count: number): string =>
    `Not recorded: ${names}. The service could not use ${count === 1 ? 'this file' : 'these files'}. Take the photo again, choose another one, or convert it to JPEG.`,
  tooLargeForService:
    'The service does not accept a photo this large. Take it again in a smaller size, or choose another one.',
  typeNotAccepted:
    'The service does not accept this type of file. Convert it to JPEG, take the photo again, or choose another one.',
  tileNotSent: (why: string): string => `not sent: ${why}`,
  notSent: (photographs: string, reasons: string): string => `${photographs} not sent. ${reasons}`,
  ofFile: (name: string, sentence: string): string => `${name}: ${sentence}`,
  removeToSend: (count: number): string => `Remove ${count === 1 ? 'it' : 'them'} to send your message.`,
  tryAgain: 'Try again',
  damaged: (names: string, count: number): string =>
    `${names} may be damaged and might not be recorded. Take ${count === 1 ? 'it' : 'them'} again if you can.`,
  close: 'Close',
  noPicture: 'This browser cannot show this type of photo. The service can still use it.',

  // Storage on the device.
  keeping: (kept: number, all: number): string => `Saving ${kept} of ${all}. Stay on this page.`,
  allSaved: (photographs: string): string => `${photographs} saved on this device until sent`,
  notRestored: (names: string, count: number): string =>
    `Could not be restored: ${names}. Add ${count === 1 ? 'it' : 'them'} again.`,
  dismiss: 'Dismiss',
  givenBack:
    'Photos from an earlier message may not have been recorded. Send them again: no photo is recorded twice.',
  keepsNothing: {
    forbidden:
      'This browser does not save photos here (is this a private window?). Keep this page open until they are sent.',
    full: 'This device is out of storage. Keep this page open until your photos are sent.',
  },
  onlineOnly: 'Without HTTPS, this page cannot be opened offline.',
  offline: 'You are offline. Photos are saved on this device and sent when you are back online.',
  neverOpened: 'You are offline, and this chat has not been opened on this device before.',

  // Uploads.
  connectionLost: 'The connection was lost.',
  unreadable: 'The file can no longer be read. Add it again.',
  notRead: 'This device could not read the photo. It tries again by itself.',

  // Messages and answers.
  you: 'You',
  answer: 'Answer',
  toLatest: 'Go to the latest message',
  stoppedNote: 'You stopped this answer.',
  reconnecting: 'Connection lost. Reconnecting…',
  announceReconnecting: 'Connection lost. Reconnecting.',
  announceSending: 'Sending.',
  stopped: 'Stopped.',
  link: 'a link',
  restStands: '… The rest is in the chat.',
  decision: 'The chat is waiting for your decision',
  decisionWords: 'Comment (optional)',
  proceed: 'Proceed',
  reject: 'Reject',

  // The inspection.
  checklist: 'Checklist',
  details: 'Inspection details',
  inspectionOffline: 'The service cannot be reached. Check your connection and try again.',

  // Corrections of recorded photographs.
  showAll: (photographs: string): string => `Show all ${photographs}`,
  correct: (photograph: string): string => `Correct ${photograph}`,
  correctTitle: 'Correct this photo',
  withdrawn: 'Withdrawn',
  moved: (area: string): string => `Moved to ${area}.`,
  turned: 'Rotated.',
  withdrew: 'Withdrawn.',
  broughtBack: 'Restored.',
  day: (date: Date): string =>
    date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' }),
  claimed: (day: string | undefined): string =>
    `This photo is already in ${day === undefined ? 'a report' : `the report of ${day}`}. Only a new edition of that report can change it.`,
  correctionOffline: 'You are offline, so nothing was changed. Try again when you are back online.',
  correctionLost: 'The connection was lost before the correction was confirmed.',
  tooManyCorrections: 'Too many corrections in a short time.',

  // Errors.
  reference: (run: string, chat: string): string => `If you ask for help, quote ${run}, chat ${chat}.`,
  chatReference: (chat: string): string => `If you ask for help, quote chat ${chat}.`,
  answerUnreadable: 'The answer could not be read. Try again.',
  notSentStopped: 'You stopped this message. It was not sent.',
  cutOff:
    'The answer was cut off and the rest is not available. Either the service restarted or you were away too long.',
  notFinished: 'The service could not finish this answer.',
  resumable: 'Try again in a moment. Nothing is done twice.',
  tryLater: 'Try again later.',
  resend: 'Send again',
  lostAnswer: 'The connection was lost before the answer was complete.',
  waitedTooLong: 'These photos waited too long to be sent.',
  sendOnceMore: 'They are being uploaded again. Write your message again.',
  inSeconds: (seconds: number): string =>
    `You can continue in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`,
  inMinutes: (minutes: number): string => `You can continue in ${minutes} minutes.`,

  /** Keyed by the service's problem code: what happened, then what to do. The service's own sentences are for programs. */
  refusals: {
    invalid_api_key: ['This chat needs a key.', 'Enter it to continue.'],
    insufficient_credit: ['This chat has run out of credit.', 'Ask its owner to top it up, then try again.'],
    domain_not_allowed: ['This chat cannot be used from this website.', 'Ask its owner to allow it.'],
    share_link_not_public: ['The owner has closed this chat to visitors.', 'Ask them to publish it again.'],
    flow_disabled: ['This chat is switched off for now.', 'Try again later, or ask its owner.'],
    flow_not_found: ['This chat no longer exists.', 'Ask its owner for a new link.'],
    session_busy: ['An earlier message is still being answered.', 'Try again in a moment.'],
    idempotency_key_in_use: ['Your message has arrived and is being answered.', 'Try again in a moment.'],
    body_too_large: ['That is too much to send at once.', 'Send fewer or smaller photos.'],
    unsupported_media_type: ['This chat does not accept this type of file.'],
    question_too_long: ['Your message is too long.', 'Shorten it and send it again.'],
    rate_limited: ['Too many messages in a short time.'],
    quota_exceeded: ['Too many messages or photos at once.', 'Try again in a moment.'],
    request_timeout: ['The connection is too slow to send this.', 'Try again where it is better.'],
    address_blocked: ['Your network is blocked for now because it opened too many links that do not exist.'],
    flow_failed: ['Something went wrong while answering your message.', 'Try again.'],
    internal_error: ['Something went wrong on the server.', 'Try again.'],
    shutting_down: ['The service is restarting.', 'Try again in a moment.'],
    overloaded: ['The service is very busy.', 'Try again in a moment.'],
  } as Readonly<Record<string, readonly [sentence: string, advice?: string]>>,
};
