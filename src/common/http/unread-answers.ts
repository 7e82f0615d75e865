import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { Budget, declareBudget } from '../budgets/budget.js';
import { clientAddress } from './client-address.js';

const MEGABYTE = 1024 * 1024;

const BUDGET = declareBudget({
  name: 'bytes of finished answers that their clients have not read',
  unit: 'bytes',
  owner: 'address',
  share: 64 * MEGABYTE,
  total: 256 * MEGABYTE,
  beyond: 'the connection is closed',
  reason: 'Lists and pages have at most some megabytes; files are read from the disk as they are sent.',
});

/** Unsent bytes that are not counted: the kernel's buffers take them soon. */
const FREE_BYTES = 64 * 1024;

/** Checks without progress, five seconds apart, after which a connection is closed. */
const LOOKS = 6;
const LOOK_EVERY_MS = 5_000;

/** Such checks when the kernel does not report its buffers, which may hide a slow reader for minutes. */
const LOOKS_FROM_OUTSIDE = 36;

interface Watched {
  /** Bytes that have left the process. */
  sent: number;
  /** Bytes in the kernel's buffers at the last check; undefined when they are not known. */
  held: number | undefined;
  looks: number;
}

/**
 * Closes connections whose clients do not read: after 30 s without progress, or beyond the budget of unread bytes. Time is
 * counted in checks, so that a process that was suspended closes nothing when it wakes up. Event streams have their own
 * rule (`stream-writer`).
 */
@Injectable()
export class UnreadAnswers implements OnModuleDestroy {
  private readonly unread = new Budget(BUDGET);
  private readonly answers = new Map<Response, Watched>();
  private readonly timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();

  /** A bound method, because `app.setup` mounts it. */
  readonly watch = (request: Request, response: Response, next: NextFunction): void => {
    this.answers.set(response, { sent: -1, held: undefined, looks: 0 });
    response.once('prefinish', () => this.count(request, response));
    response.once('close', () => this.answers.delete(response));
    next();
  };

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Closes the connections that made no progress for too many checks. */
  look(): void {
    const still: [Socket, Watched][] = [];
    for (const [response, watched] of this.answers) {
      const { socket } = response;
      const sent = socket ? socket.bytesWritten - socket.writableLength : 0;
      const isStill =
        socket && socket.writableLength > 0 && sent === watched.sent && !isEventStream(response);
      if (isStill) still.push([socket, watched]);
      else Object.assign(watched, { sent, held: undefined, looks: 0 });
    }
    if (still.length === 0) return;
    const held = heldByKernel();
    for (const [socket, watched] of still) lookAt(socket, watched, held?.get(portsOf(socket)));
  }

  private count(request: Request, response: Response): void {
    const unsent = response.socket?.writableLength ?? 0;
    if (unsent <= FREE_BYTES) return;
    try {
      response.once('close', this.unread.take(clientAddress(request), unsent));
    } catch {
      response.socket?.destroy();
    }
  }
}

function lookAt(socket: Socket, watched: Watched, held: number | undefined): void {
  watched.looks = held === watched.held ? watched.looks + 1 : 1;
  watched.held = held;
  if (watched.looks >= (held === undefined ? LOOKS_FROM_OUTSIDE : LOOKS)) socket.destroy();
}

const portsOf = ({ localPort, remotePort }: Socket): string => `${localPort}:${remotePort}`;

/** Returns the unacknowledged bytes of each connection by its ports; undefined where Linux does not report them. */
function heldByKernel(): Map<string, number> | undefined {
  const held = new Map<string, number>();
  try {
    for (const file of ['/proc/net/tcp', '/proc/net/tcp6'])
      for (const line of readFileSync(file, 'latin1').split('\n').slice(1)) {
        const [, local, remote, , queues] = line.trim().split(/\s+/);
        if (queues === undefined) continue;
        const ports = [local, remote].map((address) => parseInt(address!.split(':')[1]!, 16)).join(':');
        held.set(ports, parseInt(queues.split(':')[0]!, 16));
      }
    return held;
  } catch {
    return undefined;
  }
}

/** Returns whether a response streams events. */
export const isEventStream = (response: Response): boolean =>
  response.headersSent && String(response.getHeader('Content-Type')).startsWith('text/event-stream');
