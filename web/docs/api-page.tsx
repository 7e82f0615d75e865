import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { RichText } from '../common/rich-text.js';
import { type Description, groupsOf } from './description.js';
import { RouteView } from './route-view.js';
import { SchemasContext } from './schema-view.js';

/** The page: the navigation, and the operations by tag. */
export function ApiPage({ description }: { description: Description }): ReactNode {
  const [words, setWords] = useState('');
  const [apiKey, setApiKey] = useState('');
  const wanted = useDeferredValue(words);
  const groups = useMemo(() => groupsOf(description, wanted), [description, wanted]);
  const hash = useHash();
  return (
    <SchemasContext value={description.components.schemas}>
      <a className="skip" href="#content">
        Skip to operations
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
            <small>A flow key or the admin key. It is not stored after you close the page.</small>
          </label>
          <p aria-live="polite" className={groups.length > 0 ? 'hidden' : 'none'}>
            {groups.length > 0 ? '' : 'No operation matches.'}
          </p>
          {groups.map(({ tag, routes }) => (
            <section key={tag} id={sectionOf(tag)}>
              <h2>{titleOf(tag)}</h2>
              {routes.map((route) => (
                <RouteView
                  // The key changes with the URL's hash, so that an operation opened by a link is rendered open.
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

/** Returns the URL's hash, and scrolls to its target. */
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
