import { useBlocker } from '@tanstack/react-router';
import { Button } from '../../parts/actions/button.js';
import { Dialog } from '../../parts/overlay/dialog.js';

/** Asks before leaving unsaved text. The browser itself asks before a reload. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  return (
    <Dialog
      title="Leave without saving?"
      role="alertdialog"
      isOpen={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
    >
      <p>The flow stays as last saved. Your text stays in this tab until you come back to it.</p>
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
