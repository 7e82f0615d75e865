import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { eventually } from './eventually.js';

/** A mail as received by the server. */
export interface ReceivedMail {
  recipients: string[];
  source: string;
}

/** An SMTP server for one suite. */
export interface Mailbox {
  url: string;
  mails: ReceivedMail[];
  /** Answers these recipients with an error of this code, this many times (always by default). */
  refuse(recipient: string, code: number, times?: number): void;
  /** Answers no further mail, and receives none, until the returned function is called. */
  hold(): () => void;
  /** Returns the number of mails without an answer whose connections are open. */
  open(): number;
  /** Waits until this many mails have arrived. */
  received(count: number): Promise<ReceivedMail[]>;
  close(): Promise<void>;
}

export async function openMailbox(): Promise<Mailbox> {
  const mails: ReceivedMail[] = [];
  const refusals = new Map<string, { code: number; times: number }>();
  const unanswered = new Set<string>();
  let isHeld = false;
  const server = new SMTPServer({
    onClose: ({ id }) => void unanswered.delete(id),
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo(address, _session, done) {
      const refusal = refusals.get(address.address);
      if (!refusal || refusal.times <= 0) return done();
      refusal.times--;
      done(Object.assign(new Error('not now'), { responseCode: refusal.code }));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (isHeld) return unanswered.add(session.id);
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ recipients, source: Buffer.concat(chunks).toString('latin1') });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse: (recipient, code, times = Infinity) => void refusals.set(recipient, { code, times }),
    hold: () => {
      isHeld = true;
      return () => (isHeld = false);
    },
    open: () => unanswered.size,
    received: async (count) => {
      await eventually(() => mails.length >= count);
      return mails;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
