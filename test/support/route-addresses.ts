/** Maps the first name of each route to its module: `/api/v1/prediction/:flowId` has the first name `prediction`. */
export function modulesOfRoutes(
  sources: readonly { text: string; module: string }[],
): Map<string, Set<string>> {
  const owners = new Map<string, Set<string>>();
  const add = (path: string, module: string): void => {
    const [name] = path.replace(/^\/?(api\/v1)?\/?/, '').split('/');
    if (name && !name.startsWith(':')) owners.set(name, (owners.get(name) ?? new Set()).add(module));
  };
  for (const { text, module } of sources) {
    const prefix = /@Controller\((?:'([^']*)')?\)/.exec(text);
    const own = prefix ? [...text.matchAll(/@(?:Get|Post|Put|Patch|Delete|All)\(\[?(?:'([^']*)')?/g)] : [];
    for (const [, path = ''] of own) add(`${prefix![1] ?? ''}/${path}`, module);
    for (const [, path] of text.matchAll(/\bhttp\.get\('([^']+)'/g)) add(path!, module);
  }
  return owners;
}

const codeOf = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
    .replace(/^(?:import|export)\b[^;]*?\bfrom '[^']+';|^import '[^']+';/gm, '');

/**
 * Returns the names that stand in code as part of an address, or as single words if `words`. A media type is no
 * address.
 */
export function addressesIn(text: string, names: readonly string[], words: boolean): string[] {
  const code = codeOf(text);
  return names.filter((name) => {
    const part = `['"\`/]${name}/|(?<!\\bapplication)/${name}(?![\\w-])`;
    return new RegExp(words ? `${part}|['"\`]${name}['"\`]` : part).test(code);
  });
}
