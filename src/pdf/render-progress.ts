import { Injectable } from '@nestjs/common';
import type { Progress } from './renderer/render-job.js';

/** How far the renders are that this process draws, by claim. */
@Injectable()
export class RenderProgress {
  private readonly byClaim = new Map<string, Progress>();

  /** `end` forgets the render. */
  begin(claimId: string, onProgress?: (progress: Progress) => void) {
    const next = (progress: Progress): void => {
      this.byClaim.set(claimId, progress);
      onProgress?.(progress);
    };
    next({ phase: 'waiting' });
    return { next, end: () => void this.byClaim.delete(claimId) };
  }

  of(claimId: string): Progress | undefined {
    return this.byClaim.get(claimId);
  }
}
