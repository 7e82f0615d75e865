const METHODS = '(?:GET|POST|PUT|PATCH|DELETE)';

/** A route in code font: methods (GET for an address in `Location`), an ellipsis for the beginning of the last whole path, the rest of the path. */
const ROUTE = new RegExp(
  `\`(?:(${METHODS}(?:\\|${METHODS})*|Location:) )?(…?)(/(?:<[^>\\n]*>|[^\\s\`?<])+)[^\`\\n]*\``,
  'g',
);

/** Parameters of a path, as the contract and the API description write them. */
const PARAMETER = /:\w+|<[^>]*>|\{\w+\}/g;

/** Returns `GET /api/v1/flows/{}` for a method and a path, whatever its parameters are called. */
export const unnamed = (route: string): string => route.replaceAll(PARAMETER, '{}');

/** Returns the routes that a text of the contract names. A path without a method has that of the path before it. */
export function contractRoutes(contract: string): ReadonlySet<string> {
  const found = new Set<string>();
  let [methods, whole] = ['GET', ''];
  for (const [, given, ellipsis, path] of contract.replaceAll('\\|', '|').matchAll(ROUTE)) {
    methods = given === 'Location:' ? 'GET' : (given ?? methods);
    if (ellipsis === '') whole = path!;
    const paths = ellipsis === '' ? [whole] : beginningsOf(whole).map((beginning) => beginning + path!);
    for (const method of methods.split('|'))
      for (const each of paths) found.add(unnamed(`${method} ${each}`));
  }
  return found;
}

const beginningsOf = (path: string): string[] =>
  path.split('/').map((_, index, segments) => segments.slice(0, index + 1).join('/'));
