import { isMembers } from './definition.js';

/** Texts in which double braces are no references. */
const codes: Readonly<Record<string, ReadonlySet<string>>> = {
  function: new Set(['code']),
  missing: new Set(['original', 'settings', 'branches']),
};

/** Rewrites the node ids that the templates of a config name. Returns the same object when none is named. */
export function renamedInConfig(kind: string, config: unknown, names: ReadonlyMap<string, string>): unknown {
  if (!isMembers(config)) return config;
  const raw = Object.hasOwn(codes, kind) ? codes[kind] : undefined;
  return renamedMembers(config, (name, value) => {
    if (raw?.has(name)) return value;
    if (name === 'backTo' && typeof value === 'string') return names.get(value) ?? value;
    return renamedIn(value, names);
  });
}

function renamedIn(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return renamedInText(value, names);
  if (Array.isArray(value)) {
    const list = value.map((item) => renamedIn(item, names));
    return list.some((item, index) => item !== value[index]) ? list : value;
  }
  return isMembers(value) ? renamedMembers(value, (_, member) => renamedIn(member, names)) : value;
}

function renamedMembers(
  value: Readonly<Record<string, unknown>>,
  change: (name: string, member: unknown) => unknown,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(value).map(([name, member]) => [name, change(name, member)] as const);
  return entries.some(([name, member]) => member !== value[name]) ? Object.fromEntries(entries) : value;
}

/** Rewrites the ids in the references `{{id}}`, `{{id.path}}` and `{{id[0]}}` of a template. */
export function renamedInText(text: string, names: ReadonlyMap<string, string>): string {
  let done = '';
  let from = 0;
  for (let search = 0; ;) {
    const firstOpen = text.indexOf('{{', search);
    const close = firstOpen < 0 ? -1 : text.indexOf('}}', firstOpen + 2);
    if (close < 0) return done + text.slice(from);
    const open = text.lastIndexOf('{{', close - 2);
    search = close + 2;
    const inner = open < firstOpen ? '' : text.slice(open + 2, close);
    const begin = inner.length - inner.trimStart().length;
    const written = inner.slice(begin).split(/[.[\s]/, 1)[0]!;
    const name = names.get(written.replaceAll('\\_', '_'));
    if (name === undefined || written === '') continue;
    done += text.slice(from, open + 2 + begin) + name;
    from = open + 2 + begin + written.length;
  }
}
