/** Longer than this it is no command: it is a remark, and it is not searched for one. */
const LONGEST = 300;

/**
 * The intents of a message, in the order in which they are tried. Each has sentences that it understands; a message that none
 * understands is asked back. `understand` returns undefined for words of another intent.
 */
const INTENTS = [
  { name: 'start over', examples: ['start over', 'new inspection', 'next property'], understand: restart },
  { name: 'help', examples: ['help', 'what can you do?', 'how does this work'], understand: helped },
  { name: 'chosen', examples: [], understand: answerToAsked },
  {
    name: 'list',
    examples: ['what have you recorded?', 'read it back', 'list my remarks'],
    understand: listing,
  },
  { name: 'status', examples: ['status', 'what is missing?', 'how am I doing'], understand: progress },
  { name: 'finish', examples: ['finish', 'make the report', 'that is everything'], understand: finishing },
  {
    name: 'detail',
    examples: ['tenant: Mr Smith', 'change the type to check-out', 'the address is 2 Other Road'],
    understand: detail,
  },
  { name: 'guess', examples: [], understand: answerToGuess },
  { name: 'beginning', examples: [], understand: beginning },
  { name: 'answer', examples: [], understand: awaited },
  { name: 'bring back', examples: ['bring it back', 'restore the last photo'], understand: bringingBack },
  { name: 'undo', examples: ['undo', 'oops', 'oops ignore that', 'scratch that'], understand: undoing },
  {
    name: 'observe',
    examples: ['Worktop: fair, dusty, light scratch', 'Hob: poor, dirty; Sink: good, clean'],
    understand: observing,
  },
  {
    name: 'reading',
    examples: ['gas meter: 02846', 'the electricity reading is 04713', 'water 123 m3'],
    understand: reading,
  },
  {
    name: 'delete',
    examples: ['delete the last remark', 'change the last remark to tap drips', 'delete the last reading'],
    understand: withdrawing,
  },
  {
    name: 'correct',
    examples: [
      'that was the hallway',
      'delete the last photo',
      'turn the last photo left',
      'rename Hall to Landing',
    ],
    understand: corrections,
  },
  { name: 'skip', examples: ['skip gas meter', 'no keys', 'there is no water meter'], understand: skipping },
  {
    name: 'record',
    examples: [
      'Kitchen',
      'now the bathroom',
      'the tap is dripping',
      'remark: boiler serviced',
      '2 front door keys',
    ],
    understand: recording,
  },
  { name: 'small talk', examples: ['hello', 'thanks!', 'ok'], understand: smallTalk },
];

function understood() {
  known = withThings(withRecord(known));
  // “Tap drips, now the hall”: one capture has one area, so the next one opens the hall.
  if (known.opens) known = { ...known, current: known.opens };
  const next = {
    ...known,
    stage: known.stage ?? 'new',
    finishing: false,
    guess: undefined,
    awaiting: undefined,
    asked: undefined,
    shown: undefined,
    undone: undefined,
  };
  if (text.length > LONGEST) return long(next.stage === 'new' ? { ...next, stage: 'address' } : next);
  if ($uploads > 0) return withPhotographs(next);
  const first = intended(next);
  if (first && !first.asks) return first;
  return spelled(next) ?? first ?? unclear(next);
}

function intended(next) {
  for (const { name, understand } of INTENTS) {
    const result = understand(next);
    if (result) return { intent: name, ...result };
  }
  return undefined;
}

/** Words of commands; a typing error in one of them is forgiven. */
const COMMAND_WORDS = words(
  'undo delete remove withdraw status help finish finished start over inspection missing outstanding report rename rotate ignore photo photos picture pictures remark remarks last everything recorded what have kitchen move turn skip reading meter note remaining list oops done complete property another again that this those these them then than they there',
);

/** What a message with a typing error means, where that is a command that changes no words of a report. */
function spelled(next) {
  const tokens = said.split(' ');
  if (tokens.length > 8) return undefined;
  const right = tokens.map((token) => {
    if (
      token.length < 4 ||
      !/^\p{L}+$/u.test(token) ||
      COMMAND_WORDS.has(token) ||
      HEADS.has(token) ||
      OBJECTS.has(token)
    )
      return token;
    for (const word of COMMAND_WORDS)
      if (word.length >= 4 && Math.abs(word.length - token.length) <= 1 && distance(token, word) === 1)
        return word;
    return token;
  });
  if (right.join(' ') === said) return undefined;
  const typed = [plain, said];
  said = saidIn(right.join(' '));
  plain = right.join(' ');
  const result = intended(next);
  [plain, said] = typed;
  const isCommand = result && !result.asks && /^(?:correct|rename|status|finish)$/.test(result.does);
  const isSaid = result?.intent === 'start over' || (result?.intent === 'help' && !result.asks);
  return isCommand || isSaid ? result : undefined;
}

/** Every member is there, so that the flow's templates find it. */
function whole(result) {
  const inspection = {
    session: '',
    forced: false,
    ...result.inspection,
    waived: result.inspection.waived ?? '',
  };
  const none = {
    message: '',
    choices: [],
    area: '',
    remark: '',
    reading: '',
    keys: '',
    alarm: '',
    observations: '',
    skipped: '',
    details: {},
    correction: {},
    said: '',
    anyway: false,
    edition: '',
    began: false,
    asks: false,
    intent: '',
  };
  // The area that was to be opened is, by what is captured next; it is not, where its message is undone.
  const isOver = result.does === 'capture' || result.correction?.undo;
  if (isOver && inspection.opens === known.opens) inspection.opens = undefined;
  const opened = result.does === 'capture' && !result.area && known.opens ? { area: known.opens } : {};
  return { ...none, ...result, ...opened, inspection };
}

function long(next) {
  const labelled = next.stage === 'areas' || $uploads > 0 ? underLabel(next) : undefined;
  if (labelled) return labelled;
  if (next.stage === 'areas' || $uploads > 0)
    return severalRooms(next) ?? { does: 'capture', remark: text, ...underHead(), inspection: next };
  return {
    does: 'say',
    inspection: next,
    message: 'That is more than I can read before we begin. Please answer in a few words.',
  };
}

return whole(understood());
