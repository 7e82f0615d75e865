import type { RouteNote } from '../../api/route-note.js';

/** Documentation shared by the routes of `OwnSessionGuard`. */
export const OF_SESSION = {
  description:
    'For the admin key or the flow’s key; on an open flow for whoever knows a session id that is a version 4 UUID.',
  access: 'own-session',
  query: {
    flowId:
      'The flow of the session; required where several of the caller’s flows have a session of this id.',
  },
  errors: ['flow_not_found', 'not_found', 'invalid_request'],
} as const satisfies Partial<RouteNote>;

/** Documentation shared by the routes of a photograph, remark or fact that `SessionAccess.openRecord` opens. */
export const OF_RECORD = {
  description:
    'On an open flow also for whoever sends the id of its session, where that is a version 4 UUID: as `?sessionId=`, or as the bearer token.',
  access: 'own-session',
  query: { sessionId: 'The session of the record.' },
  errors: ['not_found'],
} as const satisfies Partial<RouteNote>;
