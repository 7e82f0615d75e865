import { useBlocker } from '@tanstack/react-router';
import { Button } from '../../parts/actions/button.js';
import { Dialog } from '../../parts/overlay/dialog.js';

/** Asks before leaving unsaved text or settings. The browser itself asks before a reload. */
export function LeaveGuard({ isDirty, hasSettings }: { isDirty: boolean; hasSettings: boolean }) {
  const isUnsaved = isDirty || hasSettings;
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: () => isUnsaved,
    withResolver: true,
  });
  return (
    <Dialog
      title="Leave without saving?"
      role="alertdialog"
      isOpen={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
    >
      <p>
        The flow stays as last saved.
        {isDirty && ' Your text stays in this tab until you come back to it.'}
        {hasSettings && ' The settings that you changed are lost.'}
      </p>
      <div className="dialog-actions">
        <Button autoFocus onPress={() => blocker.reset?.()}>
          Stay
        </Button>
        <Button look="danger" onPress={() => blocker.proceed?.()}>
          Leave
        </Button>
      </div>
    </Dialog>
  );
}
