import { BYTES, type RouteNote } from '../../api/route-note.js';

/** Documentation shared by the routes of files with a signed address: their query, and the answers to whole and to ranged requests. */
export const signedFile = (type: 'application/pdf' | 'application/zip'): Omit<RouteNote, 'summary'> => {
  const content = { [type]: BYTES };
  return {
    query: {
      expires: 'When the address stops working, unix seconds; goes with `signature`.',
      signature: 'The proof that the service made this address.',
      inline: '`true`: to be shown by a browser; else to be saved.',
    },
    access: 'signed-or-flow',
    headers: ['Range', 'If-Range', 'If-None-Match'],
    errors: ['stored_file_damaged', 'not_found', 'range_not_satisfiable'],
    answers: {
      200: { description: 'The file.', headers: ['ETag', 'Accept-Ranges'], content },
      206: {
        description: 'The part that `Range` asks for.',
        headers: ['ETag', 'Accept-Ranges', 'Content-Range'],
        content,
      },
      304: { description: 'The caller has it already.', headers: ['ETag'] },
    },
  };
};
