import sharp from 'sharp';

/** Base64 of a small JPEG of one colour. */
export const photograph = async (background) =>
  (
    await sharp({ create: { width: 320, height: 240, channels: 3, background } })
      .jpeg()
      .toBuffer()
  ).toString('base64');

/** Calls that say "Here" beside one photograph, keyed by their session: sent again they are the same call. */
export const photographCall =
  (flow, picture) =>
  (service, session, headers = {}) =>
    service.predict(
      flow,
      {
        question: 'Here',
        chatId: session,
        uploads: [
          { type: 'file', name: 'a.jpg', mime: 'image/jpeg', data: `data:image/jpeg;base64,${picture}` },
        ],
      },
      { 'Idempotency-Key': session, ...headers },
    );
