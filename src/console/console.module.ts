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
  // Routes of the chat page's files come before the route of flow ids.
  controllers: [ChatAppController, ChatPageController, PagesController],
  providers: [BrandLogos, PageProblemFilter],
})
export class ConsoleModule {}
