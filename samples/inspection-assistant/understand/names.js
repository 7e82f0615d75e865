/** “change the tenant to …”, “the inspector’s name is …”: what follows is the detail, not what somebody does. */
function isTold(before) {
  return /^(?:change|set|make|correct|update)\b|\b(?:name|called)\b/.test(before);
}

function isStatement(what, value) {
  const lower = value.toLowerCase();
  return /^(?:property|agent|tenants?|name)$/.test(what) && (sentence.test(lower) || flawed.test(lower));
}

const STATE =
  /^(?:(?:very|still|not|now|also) )*(?:out|in|present|absent|away|late|here|there|wrong|right|incorrect|gone|back|happy|aware|liable|unavailable|available|vacant|unknown|none|n\/a|tb[ac]|off|on|to|at|from)\b/i;

/** “out”, “moving out on Friday”: how somebody is, and no name. */
function isState(value) {
  return STATE.test(value) || /^\p{Ll}+(?:ing|ed)\b/u.test(value);
}

const TITLE = '(?:mr|mrs|ms|miss|mx|dr|prof)';
/** “Mr Smith and Ms A. Jones”; “Mr Smith refuses to sign” says more than a name. */
const TITLED = new RegExp(
  String.raw`^(?:${TITLE}(?: (?:and|&) ${TITLE})?\b\.?(?: \p{L}\b\.?)* \p{L}[\p{L}'.-]*(?:, (?:and )?| and | & |$))+$`,
  'iu',
);
/** “Mr Smith”, “Jo and Ann Smith”, “Lettings & Sons”. */
function isWrittenAsName(value) {
  const isName = /^(?:(?:\p{Lu}[\p{L}\p{N}'.&-]*|and|&|of|de|van|von|the),?(?: |$))+$/u.test(value);
  return TITLED.test(value) || (isName && plain !== plain.toUpperCase());
}

function isItTheName(what, value, next) {
  return askBack(next, `Is “${value}” the name?`, [
    { chip: 'Yes, that is the name', then: { call: 'detail', what, value } },
    asRemark(text),
  ]);
}
