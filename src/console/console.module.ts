import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ChatPageController } from './chat-page.controller.js';
import { PageProblemFilter } from './page-problem.filter.js';
import { WebController } from './web.controller.js';
import { WebPages } from './web-pages.js';

/** Serves the built web pages. */
@Module({
  imports: [AuthModule],
  controllers: [ChatPageController, WebController],
  providers: [WebPages, PageProblemFilter],
})
export class ConsoleModule {}
