import { Controller, Delete, Get, Header, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { apiKey, type ApiKeyView, newApiKey, type NewApiKeyView } from '../../api/access.js';
import { answered, NOTHING } from '../../api/route-note.js';
import { type PageOf, pageSchema } from '../../api/shapes.js';
import { ValidBody } from '../../common/bodies/valid-body.decorator.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { Documented } from '../../common/http/route-table.js';
import { isoTime } from '../../common/iso-time.js';
import { storableText } from '../../common/json/json-text.js';
import { NotFound } from '../../common/service-error.js';
import { ApiKeys } from './api-keys.js';

const newKey = z.object({ name: z.string().trim().min(1, 'must not be empty').max(200) });

/** Creates, lists and revokes the keys that open flows, for admins (contract section 8). */
@Controller('api/v1/api-keys')
@UseGuards(AdminGuard)
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeys) {}

  @Documented({
    summary: 'List API keys',
    answers: answered('Without the keys themselves.', pageSchema(apiKey)),
  })
  @Get()
  async list(): Promise<PageOf<ApiKeyView>> {
    const keys = await this.apiKeys.list();
    return {
      data: keys.map((key) => ({
        id: key.id,
        name: key.name,
        createdAt: isoTime(key.createdAt),
        lastUsedAt: key.lastUsedAt === null ? null : isoTime(key.lastUsedAt),
      })),
      nextCursor: null,
    };
  }

  @Documented({
    summary: 'Create an API key',
    description: 'The only answer that ever shows the key. Attach it to a flow with `access.apiKeyId`.',
    body: { examples: { website: { name: 'Website' } } },
    answers: answered('The key.', newApiKey),
  })
  @Post()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  create(@ValidBody(newKey) { name }: z.infer<typeof newKey>): Promise<NewApiKeyView> {
    return this.apiKeys.create(name);
  }

  @Documented({ summary: 'Revoke an API key', errors: ['not_found'], answers: NOTHING })
  @Delete(':id')
  @HttpCode(204)
  async revoke(@Param('id') id: string): Promise<void> {
    if (!(await this.apiKeys.revoke(storableText(id)))) throw new NotFound('An API key with this id');
  }
}
