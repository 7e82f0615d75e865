import sharp from 'sharp';

/** Returns a small JPEG of one colour in base64. */
export const photograph = async (background) =>
  (
    await sharp({ create: { width: 320, height: 240, channels: 3, background } })
      .jpeg()
      .toBuffer()
  ).toString('base64');

/**
 * Calls with the message "Here" and one photograph, under a key that is their session: repeated they are the same call.
 */
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
