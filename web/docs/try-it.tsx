import { type FormEvent, type ReactNode, useState } from 'react';
import { addressOf, curlOf, fieldOf, firstValues, headersOf, type Values } from './call.js';
import type { Parameter, Route } from './description.js';

/** The most characters of a response that are shown. */
const LONGEST = 100_000;

/** A form that sends the call, and the same call as a command. Bodies with files can only be sent by the command. */
export function TryIt({ route, apiKey }: { route: Route; apiKey: string }): ReactNode {
  const json = route.requestBody?.content['application/json'];
  const examples = Object.entries(json?.examples ?? {});
  const [values, setValues] = useState<Values>(() => firstValues(route));
  const [body, setBody] = useState(() => shown(examples[0]?.[1].value));
  const [answer, setAnswer] = useState('');
  const sent = json === undefined ? undefined : body;

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    setAnswer('Sending…');
    setAnswer(await answerTo(route, values, sent, apiKey));
  }

  return (
    <section>
      <h4>Try it</h4>
      <form className="try" onSubmit={(event) => void send(event)}>
        {route.parameters?.map((parameter) => (
          <Field
            key={fieldOf(parameter)}
            parameter={parameter}
            value={values[fieldOf(parameter)] ?? ''}
            onChange={(value) => setValues({ ...values, [fieldOf(parameter)]: value })}
          />
        ))}
        {examples.length > 1 && (
          <label>
            Example
            <select onChange={({ target }) => setBody(shown(json!.examples![target.value]!.value))}>
              {examples.map(([name]) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
        )}
        {json && (
          <label>
            Body (JSON)
            <textarea
              rows={Math.min(16, body.split('\n').length + 1)}
              spellCheck={false}
              value={body}
              onChange={({ target }) => setBody(target.value)}
            />
          </label>
        )}
        <button type="submit" className="send">
          Send
        </button>
      </form>
      <h5>Command</h5>
      <pre tabIndex={0} role="region" aria-label={`Command of ${route.method} ${route.path}`}>
        <code>{curlOf(route, values, sent, apiKey !== '')}</code>
      </pre>
      <div aria-live="polite">
        {answer && (
          <pre tabIndex={0} role="region" aria-label={`Response of ${route.method} ${route.path}`}>
            <code>{answer}</code>
          </pre>
        )}
      </div>
    </section>
  );
}

function Field({
  parameter,
  value,
  onChange,
}: {
  parameter: Parameter;
  value: string;
  onChange: (value: string) => void;
}): ReactNode {
  return (
    <label>
      {parameter.name}
      {parameter.required && ' (required)'}
      <input
        value={value}
        required={parameter.required === true}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}

const shown = (example: unknown): string => (example === undefined ? '{}' : JSON.stringify(example, null, 2));

/** Returns the response as text: its status, then its body. */
async function answerTo(
  route: Route,
  values: Values,
  body: string | undefined,
  key: string,
): Promise<string> {
  try {
    const response = await fetch(addressOf(route, values), {
      method: route.method,
      headers: headersOf(route, values, body, key),
      cache: 'no-store',
      ...(body === undefined ? {} : { body }),
    });
    return `${response.status} ${response.statusText}\n\n${await textOf(response)}`.trimEnd();
  } catch {
    return 'No response. Check the values, and that the service is running.';
  }
}

async function textOf(response: Response): Promise<string> {
  const type = response.headers.get('content-type') ?? '';
  if (!/json|text|xml|javascript/.test(type)) {
    const { size } = await response.blob();
    return size === 0 ? '' : `${size} bytes of ${type}`;
  }
  const text = await response.text();
  return pretty(text, type).slice(0, LONGEST);
}

function pretty(text: string, type: string): string {
  if (!/[/+]json\b/.test(type)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
