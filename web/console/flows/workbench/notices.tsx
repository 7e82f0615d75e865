import type { ReactNode } from 'react';
import { ApiError } from '../../api/api-error.js';
import { Button } from '../../parts/actions/button.js';
import { AlertIcon } from '../../parts/icons.js';
import { Problem } from '../../parts/waiting/problem.js';
import type { StoredFlow } from '../versions/use-stored-flow.js';
import type { Editing } from './use-editing.js';
import { isGone, type Saving } from './use-saving.js';

/** Notices above the editor: a recovered draft, one that the browser does not store, a conflicting save, the reason for a failed save. */
export function Notices({
  flow,
  editing,
  saving,
  isBehind,
}: {
  flow: StoredFlow | undefined;
  editing: Editing;
  saving: Saving;
  isBehind: boolean;
}) {
  const { error } = saving;
  return (
    <>
      {editing.restored && (
        <Notice>
          <p>This is your unsaved text from an earlier visit.</p>
          <Button small onPress={editing.revert}>
            Discard
          </Button>
        </Notice>
      )}
      {editing.isNotStored && (
        <Notice>
          <p>
            This browser has no room for your unsaved changes. Save them: a reload or a crash would lose them.
          </p>
        </Notice>
      )}
      {isBehind && (
        <Notice>
          <p>Someone else has saved this flow since you started editing.</p>
          <Button small onPress={() => saving.showTheirs(flow)}>
            View theirs
          </Button>
        </Notice>
      )}
      {error && <Problem error={withoutFaults(error)} />}
      {flow && isGone(error) && (
        <Notice>
          <p>Someone else has deleted this flow. Your text is still here.</p>
          <Button small onPress={() => void saving.createAgain()}>
            Create again
          </Button>
        </Notice>
      )}
    </>
  );
}

export const Notice = ({ children }: { children: ReactNode }) => (
  <div className="notice" role="status">
    <AlertIcon />
    {children}
  </div>
);

/** Removes the faults, which are listed below the text. */
const withoutFaults = (error: Error): Error =>
  error instanceof ApiError && error.errors.length > 0
    ? new ApiError(
        error.status,
        error.code,
        'Not saved: the flow cannot run like this. The faults are listed below the text.',
      )
    : error;
