import { Link, useCanGoBack, useRouter } from '@tanstack/react-router';
import { BackIcon } from '../../parts/icons.js';
import { useKeys } from '../keys/use-keys.js';
import { cameFromList } from './list-place.js';

/** Returns to the list with its filters and scroll position, by click or Escape. */
export function BackToList() {
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const leave = () => {
    if (canGoBack && cameFromList()) router.history.back();
    else void router.navigate({ to: '/console/executions' });
  };
  useKeys({ Escape: leave });
  return (
    <Link
      to="/console/executions"
      className="back"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        leave();
      }}
    >
      <BackIcon />
      Executions
    </Link>
  );
}
