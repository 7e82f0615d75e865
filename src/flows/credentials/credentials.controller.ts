import { Controller, Delete, Get, HttpCode, Param, Post, Put, UseGuards } from '@nestjs/common';
import type { z } from 'zod';
import { ValidBody } from '../../common/bodies/valid-body.decorator.js';
import { isoTime } from '../../common/clock.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { storableText } from '../../common/json/json-text.js';
import { NotFound } from '../../common/service-error.js';
import type { Credential } from './credential.entity.js';
import { newCredential } from './credential.js';
import { Credentials } from './credentials.js';

type NewCredential = z.infer<typeof newCredential>;

/** Admins keep the secrets of model providers and HTTP nodes (contract section 8). No answer holds one. */
@Controller('api/v1/credentials')
@UseGuards(AdminGuard)
export class CredentialsController {
  constructor(private readonly credentials: Credentials) {}

  @Get()
  async list() {
    return { data: (await this.credentials.list()).map(shown), nextCursor: null };
  }

  @Post()
  @HttpCode(200)
  async create(@ValidBody(newCredential) { name, ...secret }: NewCredential) {
    return shown(await this.credentials.create(name, secret));
  }

  /** Replaces name, kind and secret: what is stored cannot be read back to be sent again. */
  @Put(':id')
  async replace(@Param('id') id: string, @ValidBody(newCredential) { name, ...secret }: NewCredential) {
    const credential = await this.credentials.replace(storableText(id), name, secret);
    if (!credential) throw new NotFound('A credential with this id');
    return shown(credential);
  }

  @Delete(':id')
  @HttpCode(204)
  async remove(@Param('id') id: string): Promise<void> {
    if (!(await this.credentials.remove(storableText(id)))) throw new NotFound('A credential with this id');
  }
}

const shown = ({ id, name, kind, createdAt, updatedAt }: Credential) => ({
  id,
  name,
  kind,
  createdAt: isoTime(createdAt),
  updatedAt: isoTime(updatedAt),
});
