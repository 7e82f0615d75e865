/** Oxlint plugin: comments in the words of the field (CONTRIBUTING.md). */

const BEGINNING = /^(Of|What|How|Whether|As|Where|That)\b/;
const WORDS = /\b(told|said|kept|anew|gone on with|goes on)\b/gi;
/** Quoted speech and code, which may use any word. */
const QUOTED = /"[^"]*"|“[^”]*”|‘[^’]*’|`[^`]*`/g;

const INSTEAD = {
  told: '"reported", "answered" or "given"',
  said: '"stated", "reported" or "given"',
  kept: '"stored", "left" or "retained"',
  anew: '"again"',
  'gone on with': '"resumed"',
  'goes on': '"resumes" or "continues"',
};

/** Returns the faults of one comment, each as a message that says what to write instead. */
function commentFaults(text) {
  const faults = [];
  const beginning = BEGINNING.exec(text);
  if (beginning)
    faults.push(
      `A comment must not begin with "${beginning[1]}": begin with a verb ("Returns …") or the noun of the thing ("The lease on …").`,
    );
  for (const [word] of text.replace(QUOTED, '').matchAll(WORDS))
    faults.push(`Write ${INSTEAD[word.toLowerCase()]} instead of "${word}".`);
  return faults;
}

/** Consecutive line comments count as one comment; every other comment stands alone. */
function joinLines(comments) {
  const joined = [];
  for (const comment of comments) {
    const last = joined.at(-1);
    const { start, end } = comment.loc;
    if (last && comment.type === 'Line' && last.type === 'Line' && start.line === last.end.line + 1) {
      last.text += `\n${comment.value}`;
      last.end = end;
    } else joined.push({ type: comment.type, text: comment.value, start, end });
  }
  return joined;
}

const plainWords = {
  create: (context) => ({
    Program() {
      for (const { text, start, end } of joinLines(context.sourceCode.getAllComments())) {
        const plain = text.replace(/^[\s*/]+/, '').replace(/\n[ \t]*\*?[ \t]*/g, ' ');
        for (const message of commentFaults(plain)) context.report({ message, loc: { start, end } });
      }
    },
  }),
};

export default { meta: { name: 'comments' }, rules: { 'plain-words': plainWords } };
