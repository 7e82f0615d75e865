import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { NotFound } from '../../common/service-error.js';
import { ProcessPresence } from '../../database/presence/process-presence.js';
import { ReplicaSignatures } from '../replicas/replica-signatures.js';
import { StreamResume } from './stream-resume.js';

/**
 * Serves streams of this process's runs to the other processes, which have made the checks (contract section 13).
 * Answers 404 to anybody else and to calls for another process.
 */
@Controller('internal/processes')
export class InternalStreamsController {
  constructor(
    private readonly signatures: ReplicaSignatures,
    private readonly presence: ProcessPresence,
    private readonly streams: StreamResume,
  ) {}

  @Get(':processId/streams/:token/:seen')
  follow(
    @Param('processId') processId: string,
    @Param('token') token: string,
    @Param('seen') seen: string,
    @Req() request: Request,
    @Res() response: Response,
  ): void {
    const call = { method: request.method, path: request.originalUrl, body: '' };
    const isSigned = this.signatures.accepts(call, request.headers['x-replica-signature']);
    if (!isSigned || !this.presence.ids.includes(processId)) throw new NotFound('The page');
    if (!this.streams.follow(token, Number(seen), response)) throw new NotFound('The stream');
  }
}
