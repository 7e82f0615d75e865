import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';

/** Notifies the live streams of a session that this process recorded something in it. */
@Injectable()
export class SessionChanges {
  readonly changed = new Subject<{ flowId: string; sessionId: string }>();

  announce(flowId: string, sessionId: string): void {
    this.changed.next({ flowId, sessionId });
  }
}
