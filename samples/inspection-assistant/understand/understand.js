/** Longer than this it is no command: it is a remark, and it is not searched for one. */
const LONGEST = 300;

function understood() {
  known = withRecord(known);
  const next = {
    ...known,
    stage: known.stage ?? 'new',
    finishing: false,
    guess: undefined,
    awaiting: undefined,
    shown: undefined,
  };
  if (text.length > LONGEST) return long(next.stage === 'new' ? { ...next, stage: 'address' } : next);
  if ($uploads > 0) return withPhotographs(next);
  return (
    inAnyStage(next) ??
    answerToGuess(next) ??
    beginning(next) ??
    awaited(next) ??
    corrections(next) ??
    skipping(next) ??
    recording(next) ??
    unclear(next)
  );
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
    skipped: '',
    details: {},
    correction: {},
    said: '',
    anyway: false,
    began: false,
  };
  return { ...none, ...result, inspection };
}

function long(next) {
  if (next.stage === 'areas' || $uploads > 0) return { does: 'capture', remark: text, inspection: next };
  return {
    does: 'say',
    inspection: next,
    message: 'That is more than I can read before we begin. Please answer in a few words.',
  };
}

return whole(understood());
