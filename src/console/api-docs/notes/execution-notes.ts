import { EVENT_STREAM, json, listOf, NOTHING, ref, type RouteNotes } from '../route-note.js';

/** The log of every call. */
export const executionNotes: RouteNotes = {
  'GET /api/v1/executions': {
    summary: 'Search the execution log',
    description:
      'Every call to prediction, capture and render, also the refused ones. `chatId` is an id in full; a telephone number ' +
      'of nine digits or more finds every chat that is the same number, however either is written (`+44 7700 900123`, ' +
      '`whatsapp:+447700900123`, `07700 900123`). `q` reads question, answer, chat, code and error. A refused call shows ' +
      'the flow id that it asked for and, where its body was small and came within a second after the answer, its chat ' +
      'and the first kibibyte of its question.',
    answers: { 200: { description: 'The newest first.', content: json(listOf(ref('Execution'))) } },
  },
  'GET /api/v1/executions/stream': {
    summary: 'Executions, live',
    answers: { 200: { description: 'Each record when it begins and when it ends.', content: EVENT_STREAM } },
  },
  'GET /api/v1/executions/export': {
    summary: 'Export the execution log',
    answers: {
      200: { description: 'One record a line.', content: { 'application/x-ndjson': { type: 'string' } } },
    },
  },
  'GET /api/v1/executions/stats': {
    summary: 'Figures for charts',
    description:
      'Of the records that the filters let pass, by default of the last seven days. `by` is minute, hour or day, and otherwise the finest of them of which ' +
      'two hundred hold all that was found; ' +
      '`utcOffset` says how many minutes the reader is ahead of UTC, so that days begin at the reader’s midnight.',
    answers: { 200: { description: 'Counts by minute, hour or day.', content: json(ref('ExecutionStats')) } },
  },
  'GET /api/v1/executions/{id}': {
    summary: 'An execution with its trace',
    errors: ['not_found'],
    answers: {
      200: { description: 'The record and the run of every node.', content: json(ref('ExecutionWithTrace')) },
    },
  },
  'POST /api/v1/executions/{id}/cancel': {
    summary: 'Stop a running execution',
    errors: ['not_found'],
    answers: { 200: { description: 'What became of it.', content: json(ref('Cancelled')) } },
  },
  'DELETE /api/v1/executions/{id}': {
    summary: 'Delete a record',
    errors: ['not_found', 'execution_running'],
    answers: NOTHING,
  },
};
