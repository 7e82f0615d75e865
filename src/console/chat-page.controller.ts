import {
  Controller,
  Get,
  Injectable,
  Req,
  Res,
  UseFilters,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import type { IncomingHttpHeaders } from 'node:http';
import { BYTES, pageNote } from '../api/route-note.js';
import { flowAccessOf } from '../auth/flow-call.js';
import { ShareLinkNotPublic } from '../auth/guards/allowed-domains.guard.js';
import { RequiresFlowAccess } from '../auth/guards/flow-access.js';
import { AppConfig } from '../common/app-config.js';
import { linkOrigin } from '../common/http/own-origin.js';
import { Documented } from '../common/http/route-table.js';
import { brandOf } from '../flows/definition/chat-brand.js';
import type { Flow } from '../flows/definition/flow.js';
import { inspects } from '../inspection/inspects.js';
import { beginsWithForm, chatbotConfig } from '../prediction/clients/chatbot-config.js';
import { BrandLogos } from './brand-logos.js';
import { PageProblemFilter } from './page-problem.filter.js';
import { sendPage } from './web-pages.js';

/** The page itself needs no key, domain or rate limit; its calls do. */
const page = { key: false, domain: false, shareLink: true, rateLimit: false, missCountsOnce: true };

/**
 * Refuses requests that the browser marks as not opened by a person: pictures, scripts or frames of another site. They
 * get the same 403 for every id, before the flow is looked up, because they could otherwise probe ids and get the
 * address of their visitors blocked (contract section 4).
 */
@Injectable()
class ChatVisitGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (isVisit(context.switchToHttp().getRequest<Request>().headers)) return true;
    throw new ShareLinkNotPublic();
  }
}

/** Serves the share link of a flow (contract section 4): its chat page, if its owner has made it public. */
@Controller('chat')
@UseFilters(PageProblemFilter)
@UseGuards(ChatVisitGuard)
export class ChatPageController {
  constructor(
    private readonly logos: BrandLogos,
    private readonly config: AppConfig,
  ) {}

  /**
   * The page holds the flow's id, name and brand, whether it needs a key, whether it inspects, and the answer of
   * `public-chatbotConfig`, which saves a round trip. It holds nothing else of the flow.
   */
  @Documented({
    ...pageNote(
      'The hosted chat page: the share link of a flow',
      'Answered only while `access.public` of the flow is true. Its calls carry `X-Share-Link: true`; the page of a flow with a key asks for the key. Requests for it that another site’s page makes by itself or in a frame are refused, with the same answer for every id. A browser that is refused gets a page, with the same status.',
    ),
    errors: ['share_link_not_public', 'pages_not_built'],
  })
  @Get(':flowId')
  @RequiresFlowAccess(page)
  async open(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { flow } = flowAccessOf(request);
    const chat = {
      id: flow.id,
      name: flow.name,
      keyed: flow.access.apiKeyId !== null,
      inspects: inspects(flow.definition),
      origin: linkOrigin(request, this.config),
      config: chatbotConfig(flow.definition, Math.floor(this.config.maxPhotoBytes / 1024 / 1024)),
      brand: { colour: brandOf(flow.definition.chat).colour, logo: this.logos.addressOf(flow) },
    };
    // A key or a form comes before the first message.
    const takes = chat.keyed || beginsWithForm(flow.definition) ? '' : 'words';
    await sendPage(response, 200, 'chat', { name: flow.name, chat: JSON.stringify(chat), takes });
  }

  @Documented({
    summary: 'The hosted chat page as an app (Web App Manifest)',
    errors: ['share_link_not_public'],
    answers: {
      200: { description: 'The manifest.', content: { 'application/manifest+json': { type: 'object' } } },
    },
  })
  @Get(':flowId/app.webmanifest')
  @RequiresFlowAccess(page)
  manifest(@Req() request: Request, @Res() response: Response): void {
    response.setHeader('Cache-Control', 'no-store');
    response.type('application/manifest+json').send(JSON.stringify(appManifest(flowAccessOf(request).flow)));
  }

  @Documented({
    summary: 'The logo on the hosted chat page',
    description:
      '`chat.brand.logo` of the flow, from this service: nothing is fetched, and an SVG runs nothing.',
    errors: ['share_link_not_public', 'not_found'],
    answers: { 200: { description: 'The picture.', content: { 'image/*': BYTES } } },
  })
  @Get(':flowId/logo')
  @RequiresFlowAccess(page)
  logo(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.logos.send(flowAccessOf(request).flow, response);
  }
}

/**
 * Returns true for a request that a person may have made: a top-level navigation, the logo or manifest of our own pages,
 * or a request without these headers. A mode alone proves nothing: programs send one, browsers all three.
 */
function isVisit(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-dest': use, 'sec-fetch-mode': mode, 'sec-fetch-site': site } = headers;
  if (use === undefined && site === undefined) return true;
  if (site === 'same-origin' && (use === 'image' || use === 'manifest' || isFrame(use))) return true;
  return (use === undefined ? mode === 'navigate' : use === 'document') && !isAhead(headers);
}

const isFrame = (use: string | string[] | undefined): boolean => use === 'iframe' || use === 'frame';

/** Browsers prefetch navigations that no person has made. */
const isAhead = ({ 'sec-purpose': purpose }: IncomingHttpHeaders): boolean =>
  String(purpose ?? '').includes('prefetch');

const ACCENT = '#0f5a60';
const GROUND = '#f3f6f6';
/** Characters that fit below an icon. */
const SHORT_NAME = 12;

const icon = (name: string, size: number, purpose: 'any' | 'maskable') => ({
  src: `/chat/${name}.png`,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
});

/** Returns the Web App Manifest of a flow's chat page: each chat is an app with its own name and colour. */
function appManifest({ id, name, definition }: Pick<Flow, 'id' | 'name' | 'definition'>) {
  const address = `/chat/${encodeURIComponent(id)}`;
  return {
    id: address,
    name,
    short_name: shortened(name),
    start_url: address,
    scope: address,
    display: 'standalone',
    background_color: GROUND,
    theme_color: brandOf(definition.chat).colour ?? ACCENT,
    icons: [
      icon('icon-192', 192, 'any'),
      icon('icon-512', 512, 'any'),
      icon('icon-maskable', 512, 'maskable'),
    ],
  };
}

/** Returns as many whole words as fit; a long first word is cut. */
function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= SHORT_NAME) return name;
  const end = characters.slice(0, SHORT_NAME + 1).lastIndexOf(' ');
  return characters.slice(0, end > 0 ? end : SHORT_NAME).join('');
}
