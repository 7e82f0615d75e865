import { Controller, Delete, Get, HttpCode, Param, Post, Put, UseGuards } from '@nestjs/common';
import type { z } from 'zod';
import { credential as credentialSchema, type CredentialView } from '../../api/credentials.js';
import { answered, NOTHING } from '../../api/route-note.js';
import { type PageOf, pageSchema } from '../../api/shapes.js';
import { ValidBody } from '../../common/bodies/valid-body.decorator.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { Documented } from '../../common/http/route-table.js';
import { isoTime } from '../../common/iso-time.js';
import { storableText } from '../../common/json/json-text.js';
import { NotFound } from '../../common/service-error.js';
import type { Credential } from './credential.entity.js';
import { newCredential } from './credential.js';
import { Credentials } from './credentials.js';

const SECRET = 'the-key-of-the-provider';
const provider = { name: 'Model provider', kind: 'api-key', data: { apiKey: SECRET } };

type NewCredential = z.infer<typeof newCredential>;

/** Stores secrets of model providers and HTTP nodes for admins (contract section 8). No answer contains a secret. */
@Controller('api/v1/credentials')
@UseGuards(AdminGuard)
export class CredentialsController {
  constructor(private readonly credentials: Credentials) {}

  @Documented({
    summary: 'List credentials',
    answers: answered('The credentials, without their secrets.', pageSchema(credentialSchema)),
  })
  @Get()
  async list(): Promise<PageOf<CredentialView>> {
    return { data: (await this.credentials.list()).map(shown), nextCursor: null };
  }

  @Documented({
    summary: 'Store a credential',
    description:
      'Encrypted at rest and never returned. Nodes refer to it by `credentialId`; a model needs the kind `api-key`.',
    body: {
      examples: {
        provider,
        basic: { name: 'Archive', kind: 'basic', data: { username: 'service', password: SECRET } },
        header: { name: 'Property register', kind: 'header', data: { name: 'X-Api-Key', value: SECRET } },
      },
    },
    answers: answered('The credential.', credentialSchema),
  })
  @Post()
  @HttpCode(200)
  async create(@ValidBody(newCredential) { name, ...secret }: NewCredential) {
    return shown(await this.credentials.create(name, secret));
  }

  /** Replaces name, kind and secret: what is stored cannot be read back to be sent again. */
  @Documented({
    summary: 'Replace a credential',
    errors: ['not_found'],
    body: { examples: { provider } },
    answers: answered('The credential.', credentialSchema),
  })
  @Put(':id')
  async replace(@Param('id') id: string, @ValidBody(newCredential) { name, ...secret }: NewCredential) {
    const credential = await this.credentials.replace(storableText(id), name, secret);
    if (!credential) throw new NotFound('A credential with this id');
    return shown(credential);
  }

  @Documented({
    summary: 'Delete a credential',
    description: 'Flows that still name it fail when they need it.',
    errors: ['not_found'],
    answers: NOTHING,
  })
  @Delete(':id')
  @HttpCode(204)
  async remove(@Param('id') id: string): Promise<void> {
    if (!(await this.credentials.remove(storableText(id)))) throw new NotFound('A credential with this id');
  }
}

const shown = ({ id, name, kind, createdAt, updatedAt }: Credential): CredentialView => ({
  id,
  name,
  kind,
  createdAt: isoTime(createdAt),
  updatedAt: isoTime(updatedAt),
});
