import { Link } from '@tanstack/react-router';
import type { Session } from '../../../src/api/inspections.js';
import type { Liveness } from '../api/event-source.js';
import { CheckIcon, ClockIcon } from '../parts/icons.js';
import { Tag } from '../parts/values/status-tag.js';
import { Time } from '../parts/values/time.js';
import { numberInWords } from '../parts/words.js';
import { countStanding } from './photographs/area-groups.js';
import { SERVICE_AREAS } from './photographs/service-areas.js';
import type { Place } from './place.js';

/** The state of an inspection at a glance. */
export function SessionHead({
  place,
  session,
  liveness,
}: {
  place: Place;
  session: Session | undefined;
  liveness: Liveness;
}) {
  return (
    <div className="session-head">
      <div className="session-now">
        <dl className="session-facts">
          <Fact name="Flow">
            <Link to="/console/flows/$id" params={{ id: place.flowId }}>
              {place.flow?.name ?? place.flowId}
            </Link>
          </Fact>
          <Fact name="Photographs">{numberInWords(countStanding(session?.photographs ?? []))}</Fact>
          <Fact name="Not in a report">{numberInWords(session?.pending ?? 0)}</Fact>
          {session && session.omitted > 0 && (
            <Fact name="Older, not listed">{numberInWords(session.omitted)}</Fact>
          )}
          <Fact name="Current area">
            {session?.currentArea ?? <span className="session-none">none</span>}
          </Fact>
          <Fact name="Last activity" wide>
            {session ? <Time at={session.updatedAt} /> : <span className="session-none">none yet</span>}
          </Fact>
        </dl>
        <div role="status">
          <Live session={session} liveness={liveness} />
        </div>
      </div>
      <Outstanding areas={session?.outstandingAreas ?? SERVICE_AREAS.map(({ slug }) => slug)} />
    </div>
  );
}

/** A fact; a `wide` one is hidden on narrow screens. */
function Fact({ name, wide = false, children }: { name: string; wide?: boolean; children: React.ReactNode }) {
  return (
    <div className={wide ? 'session-fact-wide' : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Live({ session, liveness }: { session: Session | undefined; liveness: Liveness }) {
  if (!session) return <Tag tone="still">Not started</Tag>;
  if (liveness === 'live') return <Tag tone="good">Live</Tag>;
  if (liveness === 'lost')
    return (
      <Tag tone="warn" icon={<ClockIcon />}>
        Connection lost, reconnecting
      </Tag>
    );
  return null;
}

/** The five service areas, with those outstanding for a check-in or check-out report. */
function Outstanding({ areas }: { areas: readonly string[] }) {
  const count = areas.length;
  return (
    <section className="outstanding" aria-labelledby="outstanding">
      <h2 id="outstanding">
        {count === 0 ? 'Nothing outstanding' : `${count} of ${SERVICE_AREAS.length} outstanding`}
      </h2>
      <ul>
        {SERVICE_AREAS.map(({ slug, name }) => {
          const missing = areas.includes(slug);
          const verb = name.endsWith('s') ? 'are' : 'is';
          return (
            <li key={slug} className={missing ? 'outstanding-missing' : 'outstanding-there'}>
              {missing ? <span className="outstanding-ring" aria-hidden="true" /> : <CheckIcon />}
              {name}
              <span className="hidden">{` ${verb} ${missing ? 'outstanding' : 'recorded'}`}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
