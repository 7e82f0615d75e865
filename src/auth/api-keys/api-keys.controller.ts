import { Controller, Delete, Get, Header, HttpCode, Param, Post, UseGuards } from '@nestjs/common';
import { z } from 'zod';
import { ValidBody } from '../../common/bodies/valid-body.decorator.js';
import { isoTime } from '../../common/clock.js';
import { AdminGuard } from '../../common/http/admin.guard.js';
import { storableText } from '../../common/json/json-text.js';
import { NotFound } from '../../common/service-error.js';
import { ApiKeys } from './api-keys.js';

const newKey = z.object({ name: z.string().trim().min(1, 'must not be empty').max(200) });

/** Admins make, list and revoke the keys that open flows (contract section 8). */
@Controller('api/v1/api-keys')
@UseGuards(AdminGuard)
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeys) {}

  @Get()
  async list() {
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

  /** The only answer that ever shows the key. */
  @Post()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  create(@ValidBody(newKey) { name }: z.infer<typeof newKey>) {
    return this.apiKeys.create(name);
  }

  @Delete(':id')
  @HttpCode(204)
  async revoke(@Param('id') id: string): Promise<void> {
    if (!(await this.apiKeys.revoke(storableText(id)))) throw new NotFound('An API key with this id');
  }
}
