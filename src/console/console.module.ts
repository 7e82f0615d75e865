import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { PdfModule } from '../pdf/pdf.module.js';
import { BrandLogos } from './brand-logos.js';
import { ChatAppController } from './chat-app.controller.js';
import { ChatPageController } from './chat-page.controller.js';
import { PageProblemFilter } from './page-problem.filter.js';
import { PagesController } from './pages.controller.js';

/** Serves the built web pages. */
@Module({
  imports: [AuthModule, PdfModule],
  // The names of files of the chat page before the ids of flows.
  controllers: [ChatAppController, ChatPageController, PagesController],
  providers: [BrandLogos, PageProblemFilter],
})
export class ConsoleModule {}
