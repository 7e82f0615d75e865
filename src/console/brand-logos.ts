import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { NotFound } from '../common/service-error.js';
import { brandOf, logoData } from '../flows/definition/chat-brand.js';
import type { Flow } from '../flows/definition/flow.js';
import { Logos } from '../pdf/logos/logos.js';
import { BlobStore } from '../storage/blob-store.js';

/** Stops a picture that is opened by itself, such as an SVG, from running or loading anything. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Serves the logos of flows from this service's own address. */
@Injectable()
export class BrandLogos {
  constructor(
    private readonly logos: Logos,
    private readonly store: BlobStore,
  ) {}

  /** Returns the address of the flow's logo, which differs after each change; undefined for a flow without one. */
  addressOf({ id, revision, definition }: Flow): string | undefined {
    return brandOf(definition.chat).logo === undefined
      ? undefined
      : `/chat/${encodeURIComponent(id)}/logo?revision=${encodeURIComponent(revision)}`;
  }

  /** Sends the picture. Throws 404 for a flow without a logo. */
  async send({ definition }: Flow, response: Response): Promise<void> {
    const { mime, bytes } = await this.pictureOf(brandOf(definition.chat).logo);
    response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', 'private, max-age=86400');
    response.setHeader('Content-Type', mime);
    response.end(bytes);
  }

  private async pictureOf(logo: string | undefined): Promise<{ mime: string; bytes: Buffer }> {
    const data = logo === undefined ? undefined : logoData(logo);
    if (data) return data;
    const file = logo === undefined ? undefined : await this.logos.find(logo);
    if (!file) throw new NotFound('The logo');
    return { mime: 'image/jpeg', bytes: await this.store.read(file.key) };
  }
}
