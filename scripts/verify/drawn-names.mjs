/** A name; or what may hold one without meaning it: a comment, the bytes of a picture in the content, a text. */
const TOKENS = /%[^\r\n]*|\bID\s[^]*?\sEI\b|<[0-9A-Fa-f\s]*>|\/([^\s/<>[\](){}%]*)|[^\s/<>[\](){}%]+|\(/g;

/** The names that a content stream draws (`/Name Do`), in order. Names in texts and comments are none. */
export function drawnNames(content) {
  const names = [];
  let last;
  TOKENS.lastIndex = 0;
  for (let token = TOKENS.exec(content); token; token = TOKENS.exec(content)) {
    const [text, name] = token;
    if (text === '(') TOKENS.lastIndex = endOfText(content, TOKENS.lastIndex);
    if (text === 'Do' && last !== undefined) names.push(decoded(last));
    last = name;
  }
  return names;
}

/** After the parenthesis that closes the text which begins here; parentheses in it are balanced or escaped. */
function endOfText(content, from) {
  let open = 1;
  for (let at = from; at < content.length; at++) {
    const sign = content[at];
    if (sign === '\\') at++;
    else if (sign === '(') open++;
    else if (sign === ')' && --open === 0) return at + 1;
  }
  return content.length;
}

const decoded = (name) =>
  name.replaceAll(/#([0-9A-Fa-f]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
