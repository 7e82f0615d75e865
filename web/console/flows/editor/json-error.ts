/** A string, a number or a word of JSON. */
const SCALAR =
  /"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Returns the position at which a text stops being JSON: its length if only its end is missing. */
export function jsonErrorAt(text: string): number {
  const open: ('{' | '[')[] = [];
  let at = 0;
  let wanted: 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' = 'value';
  for (;;) {
    while (' \t\r\n'.includes(text[at] ?? 'x')) at++;
    const next = text[at];
    if (next === undefined || (wanted === 'comma or end' && open.length === 0)) return at;
    const closes = (next === '}' && open.at(-1) === '{') || (next === ']' && open.at(-1) === '[');
    if (closes && wanted.endsWith('end')) {
      open.pop();
      wanted = 'comma or end';
      at++;
    } else if (wanted === 'comma or end') {
      if (next !== ',') return at;
      wanted = open.at(-1) === '{' ? 'name' : 'value';
      at++;
    } else if (wanted === 'colon') {
      if (next !== ':') return at;
      wanted = 'value';
      at++;
    } else if (wanted.startsWith('value') && (next === '{' || next === '[')) {
      open.push(next);
      wanted = next === '{' ? 'name or end' : 'value or end';
      at++;
    } else {
      SCALAR.lastIndex = at;
      const isName = wanted.startsWith('name');
      if ((isName && next !== '"') || !SCALAR.test(text)) return at;
      at = SCALAR.lastIndex;
      wanted = isName ? 'colon' : 'comma or end';
    }
  }
}
