import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
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
  const call = useRef<AbortController>(undefined);
  useEffect(() => () => call.current?.abort(), []);

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    call.current?.abort();
    const { signal } = (call.current = new AbortController());
    const show = (text: string) => signal.aborted || setAnswer(text);
    show('Sending…');
    const request = fetch(addressOf(route, values), {
      method: route.method,
      headers: headersOf(route, values, sent, apiKey),
      cache: 'no-store',
      signal,
      ...(sent === undefined ? {} : { body: sent }),
    });
    await request
      .then((response) => showResponse(response, show))
      .catch(() => show('No response. Check the values, and that the service is running.'));
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

/** Shows a response as text: its status, then its body, that of a stream as it arrives. */
async function showResponse(response: Response, show: (text: string) => void): Promise<void> {
  const head = `${response.status} ${response.statusText}\n\n`;
  const isStream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
  if (!isStream || !response.body) return show(`${head}${await textOf(response)}`.trimEnd());
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = head;
  for (let isOver = false; !isOver && text.length < LONGEST;) {
    show(text.trimEnd());
    const { done, value } = await reader.read();
    text += decoder.decode(value, { stream: !done });
    isOver = done;
  }
  show(text.slice(0, LONGEST).trimEnd());
  await reader.cancel();
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
