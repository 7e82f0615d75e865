import { Module } from '@nestjs/common';
import { CommonModule } from './common/common.module.js';
import { DatabaseModule } from './database/database.module.js';
import { StorageModule } from './storage/storage.module.js';

/** The roof: every room, each importing only rooms on floors below it. */
@Module({ imports: [CommonModule, DatabaseModule, StorageModule] })
export class AppModule {}
