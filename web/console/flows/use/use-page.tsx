import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { FlowView, FlowSummary } from '../../../../src/api/flows.js';
import { get, segment } from '../../api/client.js';
import { CopyButton } from '../../parts/actions/copy-button.js';
import { Page } from '../../parts/page.js';
import { Fetched } from '../../parts/waiting/fetched.js';
import { toFlow } from '../to-flow.js';
import { snippetsFor } from './snippets.js';
import './use.css';

const route = getRouteApi('/console/flows/$id/use');

/** Shows code to call a flow from elsewhere. */
export function UsePage() {
  const { id } = route.useParams();
  const flow = useQuery({
    queryKey: ['flows', id],
    queryFn: ({ signal }) => get<FlowView>(`flows/${segment(id)}`, { signal }),
  });
  return (
    <Page title="Use it" back={toFlow(id, flow.data?.name)}>
      <Fetched queries={[flow]} label="Loading the flow">
        {flow.data && <Ways flow={flow.data} />}
      </Fetched>
    </Page>
  );
}

function Ways({ flow }: { flow: FlowSummary }) {
  return (
    <div className="use-ways">
      <ul className="use-rules">
        {rulesOf(flow).map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
      {snippetsFor(location.origin, flow).map(({ id, name, about, text }) => (
        <section key={id} className="use-way" aria-labelledby={`use-${id}`}>
          <div className="use-head">
            <h2 id={`use-${id}`}>{name}</h2>
            <CopyButton text={text} label={`Copy ${name}`} />
          </div>
          <p>{about}</p>
          <pre tabIndex={0} role="region" aria-label={`${name} example`}>
            {text}
          </pre>
        </section>
      ))}
      {flow.access.public && (
        <section className="use-way" aria-labelledby="use-page">
          <h2 id="use-page">Chat page</h2>
          <p>
            For anyone with the link:{' '}
            <a href={`/chat/${segment(flow.id)}`}>{`${location.origin}/chat/${flow.id}`}</a>
          </p>
        </section>
      )}
    </div>
  );
}

/** Returns the flow's access rules in sentences. */
function rulesOf({ access, isStreaming }: FlowSummary): string[] {
  const { apiKeyId, allowedDomains, rateLimit } = access;
  return [
    apiKeyId === null ? 'Anyone who knows its id can call it.' : 'Calls need its API key.',
    allowedDomains.length === 0
      ? 'Web pages of any domain can call it.'
      : `Web pages can call it only from ${allowedDomains.join(', ')}. Other clients can call it from anywhere.`,
    ...(rateLimit
      ? [
          `At most ${rateLimit.limit} calls in ${rateLimit.windowSeconds} s per ${apiKeyId === null ? 'address' : 'key'}.`,
        ]
      : []),
    isStreaming ? 'It streams its answer on request.' : 'It does not stream. Its answer is JSON.',
  ];
}
