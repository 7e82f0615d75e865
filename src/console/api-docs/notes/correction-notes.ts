import { json, ref, type RouteNotes } from '../../../api/route-note.js';
import {
  factChange,
  photographChange,
  remarkChange,
  rename,
} from '../../../inspection/corrections/change.js';

const OWN_RECORD =
  'On an open flow also for whoever sends the id of its session, where that is a version 4 UUID: as `?sessionId=`, or as the bearer token.';
const SESSION_OF_RECORD = { sessionId: 'The session of the record.' };

/** The sayings about recorded photographs, remarks and facts. */
export const correctionNotes: RouteNotes = {
  'GET /api/v1/inspection/photographs/{id}': {
    summary: 'Read a photograph with its corrections',
    description: `What was said anew about it stands in \`corrections\`, oldest first. ${OWN_RECORD}`,
    access: 'own-session',
    query: SESSION_OF_RECORD,
    errors: ['not_found'],
    answers: { 200: { description: 'The photograph.', content: json(ref('CorrectedPhotograph')) } },
  },
  'POST /api/v1/inspection/photographs/{id}/corrections': {
    summary: 'Correct a photograph',
    description: `Its bytes, their hash and the time of receipt stay. Turns are clockwise and add up. A withdrawn photograph is kept, but neither printed nor counted; \`withdrawn: false\` brings it back. ${OWN_RECORD}`,
    access: 'own-session',
    query: SESSION_OF_RECORD,
    errors: [
      'not_found',
      'already_claimed',
      'session_full',
      'rate_limited',
      'idempotency_key_reused',
      'stored_file_damaged',
    ],
    headers: ['Idempotency-Key'],
    body: {
      json: photographChange,
      examples: { turned: { area: 'Kitchen', turn: 90, reason: 'It lay on its side.' } },
    },
    answers: { 200: { description: 'The photograph now.', content: json(ref('CorrectedPhotograph')) } },
  },
  'GET /api/v1/inspection/remarks/{id}': {
    summary: 'Read a remark with its corrections',
    description: OWN_RECORD,
    access: 'own-session',
    query: SESSION_OF_RECORD,
    errors: ['not_found'],
    answers: { 200: { description: 'The remark.', content: json(ref('CorrectedRemark')) } },
  },
  'POST /api/v1/inspection/remarks/{id}/corrections': {
    summary: 'Correct a remark',
    description: OWN_RECORD,
    access: 'own-session',
    query: SESSION_OF_RECORD,
    errors: ['not_found', 'already_claimed', 'session_full', 'rate_limited', 'idempotency_key_reused'],
    headers: ['Idempotency-Key'],
    body: { json: remarkChange, examples: { reworded: { text: 'Scratch on the left worktop' } } },
    answers: { 200: { description: 'The remark now.', content: json(ref('CorrectedRemark')) } },
  },
  'GET /api/v1/inspection/facts/{id}': {
    summary: 'Read an observation, reading, keys or alarm with its corrections',
    description: OWN_RECORD,
    access: 'own-session',
    query: SESSION_OF_RECORD,
    errors: ['not_found'],
    answers: { 200: { description: 'The fact.', content: json(ref('CorrectedFact')) } },
  },
  'POST /api/v1/inspection/facts/{id}/corrections': {
    summary: 'Correct an observation, reading, keys or alarm',
    description: `Takes the members of its kind; one of another kind is refused. An empty text takes away what need not be said. \`photographs\` are ids, in place of those that it had. ${OWN_RECORD}`,
    access: 'own-session',
    query: SESSION_OF_RECORD,
    errors: ['not_found', 'already_claimed', 'session_full', 'rate_limited', 'idempotency_key_reused'],
    headers: ['Idempotency-Key'],
    body: {
      json: factChange,
      examples: {
        observation: { condition: 'fair', description: 'Worn at the edge', reason: 'Looked again' },
        reading: { value: '00124.5' },
      },
    },
    answers: { 200: { description: 'The fact now.', content: json(ref('CorrectedFact')) } },
  },
  'POST /api/v1/inspection/sessions/{sessionId}/areas/rename': {
    summary: 'Rename an area',
    description:
      'In everything of the session that no report has taken. Onto the name of another area, the two become one. `photographs`, `remarks` and `facts` are the first hundred of what was renamed.',
    access: 'own-session',
    query: { flowId: 'The flow, where several have a session of this id.' },
    errors: ['not_found', 'already_claimed', 'session_full', 'rate_limited', 'idempotency_key_reused'],
    headers: ['Idempotency-Key'],
    body: { json: rename, examples: { spelling: { from: 'Kitchen', to: 'Kitchen diner' } } },
    answers: { 200: { description: 'The area now.', content: json(ref('RenamedArea')) } },
  },
};
