import { Injectable } from '@nestjs/common';
import type { RenderProgress } from '../renderer/render-job.js';

/** The progress of the renders that this process draws, by claim. */
@Injectable()
export class ActiveRenders {
  private readonly byClaim = new Map<string, RenderProgress>();

  /** `end` forgets the render. */
  begin(claimId: string, onProgress?: (progress: RenderProgress) => void) {
    const next = (progress: RenderProgress): void => {
      this.byClaim.set(claimId, progress);
      onProgress?.(progress);
    };
    next({ phase: 'waiting' });
    return { next, end: () => void this.byClaim.delete(claimId) };
  }

  of(claimId: string): RenderProgress | undefined {
    return this.byClaim.get(claimId);
  }
}
