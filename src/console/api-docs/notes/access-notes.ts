import { json, listOf, NOTHING, ref, type RouteNotes } from '../../../api/route-note.js';

/** Routes by which admins manage access: keys, credit, rate limits, blocks. */
export const accessNotes: RouteNotes = {
  'GET /api/v1/api-keys': {
    summary: 'API keys',
    answers: { 200: { description: 'Without the keys themselves.', content: json(listOf(ref('ApiKey'))) } },
  },
  'POST /api/v1/api-keys': {
    summary: 'Make an API key',
    description: 'The only answer that ever shows the key. Attach it to a flow with `access.apiKeyId`.',
    body: { examples: { website: { name: 'Website' } } },
    answers: { 200: { description: 'The key.', content: json(ref('NewApiKey')) } },
  },
  'DELETE /api/v1/api-keys/{id}': { summary: 'Revoke an API key', errors: ['not_found'], answers: NOTHING },
  'GET /api/v1/credit': {
    summary: 'Accounts',
    description:
      'Every account that was ever topped up. One that a flow names and that is not here has 0 credits.',
    answers: {
      200: { description: 'By name, each with its balance.', content: json(listOf(ref('Balance'))) },
    },
  },
  'GET /api/v1/credit/{account}': {
    summary: 'The balance of an account',
    answers: { 200: { description: 'Whole credits.', content: json(ref('Balance')) } },
  },
  'POST /api/v1/credit/{account}/top-ups': {
    summary: 'Top up an account',
    description:
      'The same reference and amount twice is one top-up: the second answer is `repeated` and shows the first entry. The same reference with another amount is 409.',
    errors: ['reference_reused'],
    body: { examples: { invoice: { amount: 500, reference: 'invoice-2026-11' } } },
    answers: { 200: { description: 'The entry and the balance of now.', content: json(ref('ToppedUp')) } },
  },
  'GET /api/v1/credit/{account}/entries': {
    summary: 'The ledger of an account',
    answers: { 200: { description: 'The newest first.', content: json(listOf(ref('LedgerEntry'))) } },
  },
  'GET /api/v1/rate-limits': {
    summary: 'What is used of rate limits',
    description:
      'Callers with a call in the window of a flow that has a limit now: by key on a keyed flow, else by address. Looking counts nothing. There is no further page: ask for one flow where a limit of 500 is not enough.',
    answers: {
      200: { description: 'Who called last first.', content: json(listOf(ref('RateLimitUse'))) },
    },
  },
  'GET /api/v1/address-blocks': {
    summary: 'Blocked addresses',
    answers: { 200: { description: 'Those blocked now.', content: json(listOf(ref('AddressBlock'))) } },
  },
  'DELETE /api/v1/address-blocks/{address}': {
    summary: 'Lift a block',
    errors: ['not_found'],
    answers: NOTHING,
  },
};
