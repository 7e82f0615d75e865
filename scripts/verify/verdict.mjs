import { comparePictures, draftLine, reportLine, shown } from './words.mjs';

/**
 * Returns the verdict on a file: `{ code, title, lines, revisions, pictures, report }`, all of them sentences. `code`
 * is 0 if the first revision is as a trusted key sealed it and every later one only adds signatures, form fields or
 * comments; 1 if it is altered; 2 if no trusted key confirms it. `seals` are those of the file (`sealsOf`), `found` the
 * result of its inspection (`inspect`), `trusted` the fingerprints that the reader trusts with the name of each.
 */
export function verdictOf({ seals, found, trusted, length }) {
  const seal = sealThatCounts(seals);
  const later = laterRevisions(seal, found, trusted, length);
  const { code, title, lines: opened } = opening(seal, later, trusted);
  const lines = [...(found.manifest?.report.draft ? [draftLine(found.manifest)] : []), ...opened];
  const pictures = comparePictures(found, code === 0, later.sentences.length > 0);
  const isSwapped = code === 0 && pictures.faults.length > 0;
  return {
    code: isSwapped ? 1 : code,
    title: isSwapped ? 'ALTERED' : title,
    lines: isSwapped ? [...lines, 'ALTERED: Its pages show other pictures than were recorded.'] : lines,
    revisions: later.sentences,
    pictures,
    ...(found.manifest ? { report: reportLine(found.manifest) } : {}),
  };
}

/** Returns the seal that decides the verdict: inspection begins at its `sealedEnd`. */
function sealThatCounts(seals) {
  const genuine = seals.find(({ trusted, end }) => trusted && end !== undefined);
  return (
    genuine ?? seals.find(({ trusted }) => trusted) ?? seals.find(({ end }) => end !== undefined) ?? seals[0]
  );
}

export const sealedEnd = (seals) => sealThatCounts(seals)?.end;

function opening(seal, later, trusted) {
  if (!seal) {
    return {
      code: 2,
      title: 'NO SEAL',
      lines: [
        'NO SEAL: The file is not as a service made it. It may only have been saved again by another program, or be made up: ask for the file as it was sent.',
      ],
    };
  }
  const { fingerprint } = seal;
  const by = `Sealed by the key ${fingerprint}: ${seal.trusted ? `trusted, ${trusted.get(fingerprint)}` : 'not trusted here'}.`;
  const altered = (why) => ({ code: 1, title: 'ALTERED', lines: [by, `ALTERED: ${why}`] });
  if (seal.end === undefined)
    return altered('The seal does not fit the file: it was altered after it was sealed.');
  if (seal.trusted) return later.fault ? altered(later.fault) : { code: 0, title: 'Unaltered', lines: [by] };
  return {
    code: 2,
    title: 'NOT VOUCHED FOR',
    lines: [
      `NOT VOUCHED FOR: It was sealed by the key ${fingerprint}, which is not trusted here. Anybody can seal a file with a key of their own.`,
      'Compare this fingerprint with the one that the maker of the report gives you by a different route from the report, then name the right one with --key.',
      ...(later.fault ? [`Besides, it was altered after that: ${later.fault}`] : []),
    ],
  };
}

function laterRevisions(seal, { revisions = [], fault, why }, trusted, length) {
  if (seal?.end === undefined || seal.end === length) return { sentences: [] };
  const sentences = revisions.map((revision) => sentenceOf(revision, trusted));
  const broken = revisions.find(({ faults }) => faults.length > 0);
  const unread = revisions.length === 0 ? (fault ?? why ?? 'nothing in it is a revision') : fault;
  if (broken) {
    const { number, faults } = broken;
    return { sentences, fault: `Revision ${number}, which came after the seal, ${listed(faults)}.` };
  }
  return unread === undefined
    ? { sentences }
    : {
        sentences,
        fault: `What came after the seal is no revision that only signs, fills in or comments (${shown(unread)}): the file was altered after it was sealed.`,
      };
}

function sentenceOf({ number, signatures, comments, fields, faults }, trusted) {
  const signed = signatures.map((signature) => signedBy(signature, trusted));
  const added = [counted(comments, 'comment'), counted(fields, 'form field')].filter(
    (one) => one !== undefined,
  );
  const adds = added.length > 0 ? `adds ${added.join(' and ')}` : 'adds nothing to the pages';
  const did = faults.length > 0 ? listed(faults) : adds;
  return `Revision ${number}: ${[...(signed.length > 0 ? signed : ['signed by nobody']), did].join('; ')}.`;
}

function signedBy({ name, fingerprint, fits, whole, claimed, isTimeStamp, stamped }, trusted) {
  if (name === undefined) return 'signed, but by whom could not be read: not vouched for';
  const known = fits === true && whole && trusted.has(fingerprint) ? 'known here' : 'not vouched for';
  const does = [
    fits === false
      ? 'the signature does not fit the file'
      : fits === undefined
        ? 'a kind of signature that is not checked here'
        : '',
    whole ? '' : 'it is not of the whole file',
    claimed === undefined ? '' : `dated ${dateOf(claimed)} by its maker`,
    stamped === undefined ? '' : stampWords(stamped),
  ].filter(Boolean);
  const doubts = does.length > 0 ? `, ${does.join(', ')}` : '';
  return `${isTimeStamp ? 'stamped with the time' : 'signed'} by "${shown(name)}" (key ${fingerprint}), ${known}${doubts}`;
}

const stampWords = ({ name, time, fits }) =>
  fits === true ? `stamped ${shown(time)} by "${shown(name)}"` : 'with a time stamp that does not fit';

/** Formats `D:20261025103000+00'00'` as a date and time. */
function dateOf(text) {
  const [, year, month, day, hour = '00', minute = '00'] =
    /^D:(\d{4})(\d\d)(\d\d)(\d\d)?(\d\d)?/.exec(text) ?? [];
  return year === undefined ? shown(text) : `${year}-${month}-${day} ${hour}:${minute}`;
}

const counted = (count, what) => (count > 0 ? `${count} ${what}${count === 1 ? '' : 's'}` : undefined);

const listed = (faults) => {
  const few = faults.slice(0, 6).map(shown);
  return `${few.join(', ')}${faults.length > few.length ? ` and ${faults.length - few.length} more` : ''}`;
};
