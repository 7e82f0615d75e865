/** “As at check-in”: the state of the area, and no type of inspection. */
const AS_BEFORE =
  /^(?:all |everything |condition )?(?:(?:is |still |remains )?(?:as|same as|like|unchanged (?:since|from)|no (?:further |new |visible )?changes? (?:since|from|to))(?: (?:per|at|in|it was|on|for))?(?: (?:the|my|our))? (?:previous|last|earlier|check[ -]?in|inventory|start of (?:the )?tenancy|original)(?: (?:time|visit|inspection|inventory|report|check[ -]?in|condition))?(?:,? no (?:further |new |visible )?changes?)?|as (?:per )?above|(?:as|same as|like|unchanged from) (?:before|previously|last time)|unchanged|no (?:further |new |visible )?changes?)$/;
/** Evidence of a check-out names the check-in that it is compared with. */
const BEFORE = '(?:check[ -]?in|inventory|move[ -]?in|start of (?:the )?tenancy)';
const COMPARED = new RegExp(
  String.raw`\b(?:at|since|than|from|per|in|on|with|like|before|after|by|as|(?:compared|similar|identical|prior|relative) to)(?: at| per| in| on)?(?: (?:the|my|our|your|original|last|previous|initial))* ${BEFORE}\b|^(?:the )?${BEFORE}(?: (?:report|inventory|photos?|pictures?))? (?:says|states|lists|shows|records|mentions|notes|has|had)\b`,
);
const DIFFERS =
  /\b(?:worse|better|same|similar|consistent|additional|further|more|less|unchanged|changed|different|noted|listed|recorded|shown|mentioned|deteriorated|deterioration|improved|(?:clean|dirt|dust|tidi|greas|shabbi)i?er|as (?:clean|dirty|good|bad|tidy))\b/;
