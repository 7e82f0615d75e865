import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { RichText } from '../common/rich-text.js';
import { type Description, groupsOf } from './description.js';
import { RouteView } from './route-view.js';
import { SchemasContext } from './schema-view.js';

/** The whole page: where to go at the side, the operations by tag beside it. */
export function ApiPage({ description }: { description: Description }): ReactNode {
  const [words, setWords] = useState('');
  const [apiKey, setApiKey] = useState('');
  const wanted = useDeferredValue(words);
  const groups = useMemo(() => groupsOf(description, wanted), [description, wanted]);
  const hash = useHash();
  return (
    <SchemasContext value={description.components.schemas}>
      <a className="skip" href="#content">
        Skip to the operations
      </a>
      <div className="frame">
        <nav aria-label="Operations">
          <a className="home" href="/">
            Front page
          </a>
          <label>
            Find an operation
            <input type="search" value={words} onChange={({ target }) => setWords(target.value)} />
          </label>
          <ul>
            {groups.map(({ tag, routes }) => (
              <li key={tag}>
                <a href={`#${sectionOf(tag)}`}>
                  {titleOf(tag)} <span>{routes.length}</span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <main id="content" tabIndex={-1}>
          <h1>API documentation</h1>
          {description.info.description && <RichText text={description.info.description} />}
          <p>
            For code generators and API clients: <a href="/openapi.json">OpenAPI description</a>.
          </p>
          <label className="key">
            Key for calls from this page
            <input
              type="password"
              autoComplete="off"
              value={apiKey}
              onChange={({ target }) => setApiKey(target.value.trim())}
            />
            <small>The key of a flow, or the admin key. It is forgotten when the page is closed.</small>
          </label>
          <p aria-live="polite" className={groups.length > 0 ? 'hidden' : 'none'}>
            {groups.length > 0 ? '' : 'No operation has these words.'}
          </p>
          {groups.map(({ tag, routes }) => (
            <section key={tag} id={sectionOf(tag)}>
              <h2>{titleOf(tag)}</h2>
              {routes.map((route) => (
                <RouteView
                  // Opened from outside by its address: drawn again, it looks at that address.
                  key={`${route.operationId}${hash === `#${route.operationId}` ? ' named' : ''}`}
                  route={route}
                  apiKey={apiKey}
                />
              ))}
            </section>
          ))}
        </main>
      </div>
    </SchemasContext>
  );
}

const sectionOf = (tag: string): string => `tag-${tag.replaceAll(' ', '-')}`;

const titleOf = (tag: string): string => {
  const words = tag
    .replaceAll('-', ' ')
    .replace(/\bapi\b/, 'API')
    .replace('openai', 'OpenAI');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The part of the page that its address names, scrolled to once it is there. */
function useHash(): string {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  useEffect(() => {
    document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);
  return hash;
}
