import { json, type RouteNotes } from '../../../api/route-note.js';

const STATUS = { type: 'object', required: ['status'], properties: { status: { type: 'string' } } };

/** Routes for operators: health, metrics. */
export const operationNotes: RouteNotes = {
  'GET /health/live': {
    summary: 'Check that the process runs',
    answers: { 200: { description: 'It does.', content: json(STATUS) } },
  },
  'GET /health/ready': {
    summary: 'Check that requests are served',
    errors: ['shutting_down'],
    answers: { 200: { description: 'They are.', content: json(STATUS) } },
  },
  'GET /metrics': {
    summary: 'Read metrics for Prometheus',
    answers: { 200: { description: 'Text format.', content: { 'text/plain': { type: 'string' } } } },
  },
};
