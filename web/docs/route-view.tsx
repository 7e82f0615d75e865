import { type ReactNode, useState } from 'react';
import { RichText } from '../common/rich-text.js';
import { accessOf, type Media, type Parameter, type Route } from './description.js';
import { SchemaView } from './schema-view.js';
import { TryIt } from './try-it.js';

/** One operation: a line that opens to show the details. */
export function RouteView({ route, apiKey }: { route: Route; apiKey: string }): ReactNode {
  const { operationId, method, path, summary } = route;
  const [open, setOpen] = useState(() => location.hash === `#${operationId}`);
  const toggle = () => {
    setOpen(!open);
    if (!open) history.replaceState(null, '', `#${operationId}`);
  };
  return (
    <article id={operationId} className="route">
      <h3>
        <button type="button" aria-expanded={open} onClick={toggle}>
          <span className={`method ${method.toLowerCase()}`}>{method}</span>
          <span className="path">{path}</span>
          <span className="summary">{summary}</span>
        </button>
      </h3>
      {open && <RouteDetails route={route} apiKey={apiKey} />}
    </article>
  );
}

function RouteDetails({ route, apiKey }: { route: Route; apiKey: string }): ReactNode {
  const { description, parameters = [], requestBody, responses } = route;
  return (
    <div className="details">
      {description && <RichText text={description} />}
      <p className="limits">Needs: {accessOf(route)}.</p>
      {parameters.length > 0 && <Parameters parameters={parameters} />}
      {requestBody && (
        <section>
          <h4>Body</h4>
          {Object.entries(requestBody.content).map(([type, media]) => (
            <MediaView key={type} type={type} media={media} />
          ))}
        </section>
      )}
      <TryIt route={route} apiKey={apiKey} />
      <section>
        <h4>Responses</h4>
        {Object.entries(responses).map(([status, answer]) => (
          <Disclosure key={status} label={status} note={firstLineOf(answer.description)}>
            <RichText text={answer.description} />
            {answer.headers && <p>Headers: {Object.keys(answer.headers).join(', ')}</p>}
            {Object.entries(answer.content ?? {}).map(([type, media]) => (
              <MediaView key={type} type={type} media={media} />
            ))}
          </Disclosure>
        ))}
      </section>
    </div>
  );
}

/** Returns the codes of an error, or the first line of another response's description. */
const firstLineOf = (description: string): string => {
  const codes = [...description.matchAll(/^`(\w+)`:/gm)].map(([, code]) => code);
  return codes.length > 0 ? codes.join(', ') : description.split('\n')[0]!.replaceAll('`', '');
};

function Parameters({ parameters }: { parameters: readonly Parameter[] }): ReactNode {
  return (
    <section>
      <h4>Parameters</h4>
      <ul className="members">
        {parameters.map((parameter) => (
          <li key={`${parameter.in} ${parameter.name}`}>
            <p>
              <code>{parameter.name}</code> <span className="type">{parameter.in}</span>
              {parameter.required && <span className="required"> required</span>}
            </p>
            {parameter.description && <RichText text={parameter.description} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function MediaView({ type, media }: { type: string; media: Media }): ReactNode {
  const examples = Object.entries(media.examples ?? {});
  return (
    <div>
      <p>
        <code>{type}</code>
      </p>
      {media.schema && <SchemaView schema={media.schema} />}
      {examples.map(([name, { value }]) => (
        <Disclosure key={name} label="Example" note={name}>
          <pre tabIndex={0}>
            <code>{JSON.stringify(value, null, 2)}</code>
          </pre>
        </Disclosure>
      ))}
    </div>
  );
}

function Disclosure({ label, note, children }: { label: string; note: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="disclosure">
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        <strong>{label}</strong> <span>{note}</span>
      </button>
      {open && <div>{children}</div>}
    </div>
  );
}
