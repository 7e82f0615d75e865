import type { Parameter, Route } from './description.js';

/** The form's values by the parameter's `in` and `name`. */
export type Values = Readonly<Record<string, string>>;

export const fieldOf = ({ in: place, name }: Parameter): string => `${place} ${name}`;

/** Returns the form's initial values: the examples of required parameters. */
export const firstValues = ({ parameters = [] }: Route): Values =>
  Object.fromEntries(
    parameters.map((parameter) => [fieldOf(parameter), parameter.required ? text(parameter.example) : '']),
  );

const text = (example: unknown): string =>
  typeof example === 'string' ? example : example === undefined ? '' : JSON.stringify(example);

/** Returns the URL of a call, with its path and query filled in. */
export function addressOf({ path, parameters = [] }: Route, values: Values): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[`path ${name}`] ?? ''),
  );
  const query = new URLSearchParams(
    parameters
      .filter((parameter) => parameter.in === 'query' && values[fieldOf(parameter)])
      .map((parameter) => [parameter.name, values[fieldOf(parameter)]!]),
  ).toString();
  return query === '' ? filled : `${filled}?${query}`;
}

/** Returns the headers of a call. */
export function headersOf(
  { parameters = [] }: Route,
  values: Values,
  body: string | undefined,
  key: string,
): Record<string, string> {
  const given = parameters
    .filter((parameter) => parameter.in === 'header' && values[fieldOf(parameter)])
    .map((parameter) => [parameter.name, values[fieldOf(parameter)]!]);
  return {
    ...(key === '' ? {} : { Authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(Object.fromEntries(given) as Record<string, string>),
  };
}

/** Returns the call as a command for a shell. */
export function curlOf(route: Route, values: Values, body: string | undefined, hasKey: boolean): string {
  const { Authorization, ...headers } = headersOf(route, values, body, hasKey ? 'KEY' : '');
  const lines = [
    `curl ${route.method === 'GET' ? '' : `-X ${route.method} `}${quoted(location.origin + addressOf(route, values))}`,
    ...(Authorization === undefined ? [] : ['-H "Authorization: Bearer $KEY"']),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

const quoted = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;
